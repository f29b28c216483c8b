"""Programs of float32, in which no kernel may compute in double precision: (function, arguments)."""
import numpy as np
from scipy import special

import gradscribe as gs

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


@program(single(17, 9, 7), single(18, 9, 7))
def extremes(x, y):
    z = np.minimum(np.maximum(x, y), 0.6) + np.fmax(x, 0.3) - np.fmin(x, y) + np.clip(x, 0.3, y) + np.abs(x - y)
    return np.sum(np.max(z, axis=1)) - np.mean(np.min(z * y, axis=0)) + np.ptp(x) + np.max(y)


@program(single(19, 8, 6), single(20, 6, 5), single(21, 5), single(22, 5, 3))
def network(x, w, b, v):
    hidden = np.maximum(x @ w + b, 0.0)
    hidden = np.where(hidden > 0.5, hidden, 0.01 * hidden)
    logits = hidden @ v
    return np.mean(special.logsumexp(logits, axis=1) - logits[np.arange(8), np.arange(8) % 3])


@program(single(23, 9, 7), single(24, 7), single(25, 7))
def layer_norm(x, gain, shift):
    centred = x - np.mean(x, axis=1, keepdims=True)
    y = centred / np.sqrt(np.var(x, axis=1, keepdims=True) + 1e-5) * gain + shift
    return np.sum(y * y) / y.size


@program(single(26, 40))
def activations(x):
    y = gs.nn.gelu(x) + gs.nn.gelu(x, approximate=False) + gs.nn.silu(x) + gs.nn.softplus(x) + gs.nn.elu(x)
    y = y + gs.nn.relu(x) + gs.nn.sigmoid(x) + gs.nn.log_sigmoid(x) + gs.nn.leaky_relu(x)
    return np.sum(y + gs.nn.softmax(x) + gs.nn.log_softmax(x))


@program(single(27, 40))
def special_functions(x):
    y = special.expit(x) + special.erf(x) + special.erfc(x) + special.log1p(x) + special.logit(x) + special.ndtr(x)
    y = y + special.erfinv(x) + special.ndtri(x) + special.log_expit(x) + special.xlog1py(x, x) + special.cbrt(x)
    return np.sum(y + special.xlogy(x, x) + special.log_softmax(x) + special.entr(x) + special.exp2(x))


@program(single(28, 9, 7), single(29, 9, 7))
def losses(x, y):
    r = x - y
    huber = np.mean(np.where(np.abs(r) < 0.1, 0.5 * r ** 2, 0.1 * (np.abs(r) - 0.05)))
    entropy = -np.mean(y * np.log(x) + (1 - y) * np.log1p(-x))
    return huber + entropy + np.mean(np.maximum(0.0, 1 - x * y)) + np.mean(np.logaddexp(0.0, -x * y))


@program(single(30, 9, 7))
def norms(x):
    rows = np.linalg.norm(x, axis=1)
    return np.sum(rows) + np.linalg.norm(x) + np.sum(np.linalg.norm(x, 1, axis=0)) + np.max(np.cumsum(x) / rows[0])


@program(single(31, 9, 7), single(32, 7))
def each_example(x, w):
    def loss(row):
        s = row[0] * 0.5
        for k in range(1, len(row)):
            s = max(s * w[k], row[k]) + 0.1 * np.tanh(s)
        return s / len(row)
    return np.mean(gs.vmap(loss)(x))


@program(single(33, 40), single(34, 40), single(35, 40), single(36, 40))
def adam(p, g, m, v):
    m = 0.9 * m + (1 - 0.9) * g
    v = 0.999 * v + (1 - 0.999) * g * g
    return np.sum(p - 0.001 * (m / (1 - 0.9 ** 3)) / (np.sqrt(v / (1 - 0.999 ** 3)) + 1e-8))


@program(single(37, 4200, 2), single(38, 2, 3), single(39, 3))
def long_batch(x, w, b):
    hidden = np.maximum(np.tanh(x @ w + b), 0.2)
    return np.sum(np.max(hidden, axis=0) + np.std(hidden, axis=0)) + np.mean(hidden ** 2)


@program(single(40, 9, 7))
def softmax_of_columns(x):
    e = np.exp(x - np.max(x, axis=0))
    return np.sum((e / np.sum(e, axis=0)) ** 2) + np.sum(np.linalg.norm(x, axis=0)) + np.max(np.abs(x))


@program(single(41, 9, 7), np.arange(9) % 7)
def cross_entropy(x, labels):
    z = x - np.max(x, axis=1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[np.arange(9), labels])


@program(single(42, 9, 7), single(43, 7))
def recurrence_of_each_example(x, w):
    def last(row):
        h = np.float32(0.0)
        for k in range(len(row)):
            h = np.tanh(h * w[k] + np.abs(row[k] - h))
        return h
    return np.sum(gs.vmap(last)(x) ** 2)


@program(single(44, 40), single(45, 5))
def products(x, w):
    steps = np.cumsum(x) * np.diff(x, prepend=np.float32(0.0))
    return np.sum(steps) + np.prod(x) + np.sum(np.cumprod(x)) + np.sum(np.convolve(x, w) ** 2)
