"""Programs of float32, in which no kernel may compute in double precision: (function, arguments)."""
import numpy as np

FLOAT32 = []


def program(*args):
    def register(f):
        FLOAT32.append((f, args))
        return f
    return register


def single(seed, *shape):
    return np.random.default_rng(seed).uniform(0.2, 0.8, size=shape).astype(np.float32)


@program(single(1, 40), single(2, 40))
def elementary(x, y):
    z = np.exp(x) + np.expm1(y) + np.log(x) + np.log1p(y) + np.tanh(x) + np.sqrt(y)
    z = z + np.tan(x) + np.sinh(x) + np.cosh(y)
    return np.sum(z + np.arcsin(x) + np.arccos(y) + np.arctan(x) + np.arctan2(x, y) + np.hypot(x, y))


@program(single(3, 40), single(4, 40))
def less_elementary(x, y):
    z = np.arcsinh(x) + np.arccosh(1 + y) + np.arctanh(x) + np.log2(x) + np.log10(y) + np.cbrt(x) + np.exp2(y)
    z = z + np.copysign(x, y) + np.abs(x)
    return np.sum(z + np.floor(4 * x) + np.rint(4 * x) + np.trunc(4 * y) + np.ceil(4 * y))


@program(single(5, 40))
def trigonometry(x):
    return np.sum(np.sin(x) * np.cos(2 * x))


@program(single(6, 40), single(7, 40))
def powers(x, y):
    return np.sum(x ** y + x ** 3 + x ** -1 + x ** 0.5 + np.power(2.0, y) + np.square(x) + np.reciprocal(y))


@program(single(8, 40), single(9, 40))
def quotients(x, y):
    return np.sum(x / y + x // y * y + x % y + np.fmod(x, y) + np.remainder(y, x))


@program(single(10, 9, 7))
def softmax(x):
    z = x - np.max(x, axis=1, keepdims=True)
    return -np.mean(z - np.log(np.sum(np.exp(z), axis=1, keepdims=True)))


@program(single(11, 9, 7))
def moments(x):
    return np.sum(np.var(x, axis=0) + np.std(x, axis=0) + np.prod(x, axis=0)) + np.min(x) + np.max(x)


@program(single(12, 40), np.float32(0.3))
def filtered(x, alpha):
    y = np.zeros_like(x)
    s = x[0]
    for k in range(len(x)):
        s = alpha * x[k] + (1 - alpha) * s
        y[k] = s
    return np.sum(y * y)


@program(np.float32(2.0))
def newton(a):
    x = a
    while abs(x * x - a) > 1e-3 * a:
        x = x - (x * x - a) / (2.0 * x)
    return x


@program(single(13, 6, 7), single(14, 7, 5), single(15, 5))
def layer(x, w, b):
    return np.sum(np.maximum(np.tanh(x @ w + b), 0.1 * x[:, :5])) / len(x)


@program(single(16, 40))
def chosen(x):
    return np.sum(np.where(x > 0.5, np.clip(x, 0.1, 0.7), x * 1.5) + np.cumsum(x) * np.sort(x))
