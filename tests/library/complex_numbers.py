"""What the tests of complex numbers share."""
import numpy as np

rng = np.random.default_rng(0)
Z = rng.normal(size=5) + 1j * rng.normal(size=5)
X = rng.normal(size=5)


def close(a, b):
    np.testing.assert_allclose(a, b, rtol=2e-6, atol=2e-7)


# ---- elementwise: each operation that takes complex numbers, in all quadrants
# in compiled code the first call of each is what takes its time
HOLOMORPHIC = [np.exp, np.expm1, np.log, np.log1p, np.sqrt, np.square, np.exp2, np.log2, np.log10, np.sin,
               np.cos, np.tan, np.sinh, np.cosh, np.tanh, np.arcsin, np.arccos, np.arctan, np.arcsinh, np.arccosh,
               np.arctanh, np.negative, np.conj]


# ---- programs
def parts(z):
    return np.sum(z.real * z.imag + np.imag(z) ** 2 - np.real(z))

def absolute(z):
    return np.sum(np.abs(z) ** 1.5) + abs(z[0]) + np.sum(np.absolute(z))

def angles(z):
    return np.sum(np.angle(z) * np.arange(5)) + np.angle(z[0], deg=True)


def loop(z):
    s = 0j
    for k in range(len(z)):
        s = s * z[k] + 1j
        if s.real > 0:
            s = s / 2
    return s.real * s.imag

def accumulator(z):
    s = 0.0
    for v in z:
        s += (v * np.conj(v)).real
    return s

def stores(z):
    w = np.zeros(len(z), dtype=complex)
    w[1:] = z[:-1] * 1j
    w[0] += z[0].conjugate()
    w[2] *= w[1]
    w[w.real > 0] = 0.5j
    return np.sum(np.abs(w) ** 2)

def products(z):
    B = np.outer(z, z.conj())
    return np.real(np.trace(B @ B)) + np.real(np.vdot(z, z[::-1])) + np.imag(np.dot(z, z)) + np.abs(np.inner(z, z))

def joined(z):
    w = np.concatenate([z, z[:2] * 2j, np.ones(2)])
    v = np.stack([w, w.conj()]).reshape(-1, 3).T
    return np.sum(np.abs(np.where(v.real > 0, v, v * 1j))) + np.mean(v.imag)

def roots(z):
    w = z
    for k in range(4):
        w = w - (w ** 3 - 1) / (3 * w ** 2 + 0.1)
    return np.sum(np.abs(w - 1) ** 2)

def solved(z):
    M = np.outer(z, z) + 4.0 * np.eye(5)
    x = np.linalg.solve(M, z)
    return np.sum(np.abs(x) ** 2) + np.abs(np.linalg.inv(M)[0, 1])

def python_numbers(z):
    c = complex(z[0].real, 2.0)
    d = c * (1 + 2j) ** 2 / 3j
    return abs(d) + d.conjugate().imag + (c == c) + bool(c)

def dicts(z):
    p = {"a": z * 1j, "b": [z[0], 2.0]}
    return np.sum(np.abs(p["a"] + p["b"][0]))

def mandelbrot(z):
    w, n = z * 0, 0
    while n < 20 and np.all(np.abs(w) < 2):
        w = w * w + z * 0.4
        n += 1
    return np.sum(np.abs(w))

def distances(z):
    return (np.var(z) + np.std(z, ddof=1) + np.linalg.norm(z) + np.linalg.norm(z, 1) + np.linalg.norm(np.outer(z, z))
            + np.linalg.vecdot(z, z[::-1]).imag)

def moved(z):
    A = np.outer(z, np.arange(1.0, 4.0))
    B = np.tril(A[:3]) + np.rot90(A[:3] * 1j)
    C = np.linalg.matrix_power(B, 3) + np.kron(z[:3], z[:3]).reshape(3, 3) + np.diag(z[2:])
    w = np.repeat(np.insert(z, 1, 2j), 2)
    return (np.sum(np.abs(np.concatenate([C.ravel(), w, np.pad(z, 1)])) ** 2)
            + np.average(z, weights=np.arange(1, 6)).imag)

def convolved(z):
    return (np.sum(np.abs(np.einsum("i,j->ij", z, z.conj())) ** 2) + np.abs(np.tensordot(z, z, 1))
            + np.sum(np.meshgrid(z, z)[1].imag))

def cumulated(z):
    return np.abs(np.cumsum(z)[-2] * np.diff(z)[0]) + np.sum(np.roll(z, 1).real * np.flip(z).imag)

PROGRAMS = [parts, absolute, angles, loop, accumulator, stores, products, joined, roots, solved, python_numbers, dicts,
            mandelbrot, cumulated, distances, moved, convolved]
