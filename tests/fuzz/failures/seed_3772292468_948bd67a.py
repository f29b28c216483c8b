# seed 3772292468, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h1(v):
    v[::2] *= np.tanh(-0.43 - 1.25 - 0.2 * np.matmul(np.ones(len(v), dtype=np.float64), v[:]))
    for i in range(v.shape[0] - 1, -1, -1):
        p1 = np.arange(len(v))[::-1]
        if (v[0] if v.mean() <= -1.29 else v[-1 - i]) < 0.48:
            continue
    return v @ np.zeros(v.shape[0]) + 0.3 * np.sum(np.sin(v))

def f(x, A):
    n = len(x)
    z1 = np.sin(x[::-1] - (np.full((2, 1), np.maximum(x[0], 1.19)) - x[:]))
    s2 = np.sqrt(1.0 + x[-1] * x[-1])
    for e3, e4b in zip(z1, z1):
        s2 -= e4b[-1]
        t5 = h1(z1[-2])
        a6, b7 = (np.maximum(x[0], s2), 1.02 * A[-1, 0])
        t8 = x[-1] * np.sum(np.zeros((n, len(A))))
    a9, b10 = (np.tanh(x), -x[-1])
    x[0] = np.sin(a9[-1] * np.tanh(z1[-2, 0]))
    s11 = 1.0
    for i in range(3):
        if 0 < i < 4:
            c12 = x[0]
        else:
            c12 = np.sum(A, axis=(0, 1)) + np.exp(-s2 * s2)
        b10 += np.mean(a9[:, np.newaxis] * a9)
        c12 = np.sin(s11 + 0.2 * np.dot(0.8 * z1.T[0], np.full(len(z1), s2 * s11)))
        if i % 2 == 0:
            continue
        w13 = np.tanh(np.tanh(z1[1, ::2]))
        s11 -= np.sin(np.exp(np.tanh(s2)))
    return (s2 + 0.5 * b10 + 0.5 * s2 + 0.4 * z1.sum() + 0.3 * np.sum(np.sin(A)), A + 0.7 * b10 + 0.3 * np.sum(np.sin(a9)) + 0.7 * s2 + 0.3 * np.sum(np.sin(z1)))


ARGS = (np.array([-0.39536431148682527], dtype=np.float64), np.array([0.47401751953372706], dtype=np.float64).reshape(1, 1),)
MORE = ((np.array([0.2031993355941224, -0.6547009358827357], dtype=np.float64), np.array([0.7134464935766682, -0.34898969050563844, 0.37058465953733766, 1.5732764998676911], dtype=np.float64).reshape(2, 2),),)
SEED = 3772292468
