# jvp: IndexError instead of ZeroDivisionError of a value that is not needed
import numpy as np

def h0(v, u, c):
    u[:0:-1] -= 0.5 * u[:-1]
    v = np.sin(np.zeros(len(u), dtype=np.float32) + v)
    return (0.08 * (v @ u) + 0.4 * u.sum(), np.sqrt(1.0 + u * u) + 0.5 * u + 0.5 * v)

def f(y, g):
    t1, w2 = h0(y[:-1], y[:-1], g)
    s3 = g
    for i in range(len(y) - 1, -1, -1):
        b4 = np.sin(w2[i % w2.shape[0]]) - s3 <= -0.72
        t5 = np.sqrt(1.0 + np.tanh(y[i]) * np.tanh(y[i]))
        s3 = s3 + np.tanh(0.4 * y[-2] * np.tanh(w2[-1]))
    s3 = np.maximum((1.0 + np.tanh(s3) * np.tanh(s3)) ** 0.7, 0.7 * t1)
    z6 = np.ones((2, len(w2)), dtype=np.float32) * np.zeros((2, len(w2)), dtype=np.float32) * (np.full((2, w2.shape[0]), 0.4 * w2[0], dtype=np.float32) / (2.0 + s3 * s3))
    if z6[1][-1] / (2.0 + 0.7 * t1 * (0.7 * t1)) < np.maximum(g, 0.4 * y[1]):
        c7 = 0.7 * t1 if (0.5 * s3) ** 2.0 < 1.0 / (1.5 + g * g) and -1.2 < np.sin(np.log(2.0 + 0.4 * w2[-1] * (0.4 * w2[-1]))) < 1.06 else 0.4 * y[-2]
    else:
        c7 = np.mean(np.sin(0.4 * y[:] + np.sin(y)))
    t8, w9 = h0(w2[-2::-1], y[1:-1], np.tanh(w2).dot(np.zeros(w2.shape[0], dtype=np.float32)))
    return (1.0 / (1.5 + g * g) + 0.4 * w9.sum() + 0.5 * t8 + 0.5 * c7 + 0.4 * z6.sum(), 0.9 * np.log(2.0 + 0.2 * y * (0.2 * y)) + 0.2 * np.sum(w9 * w9) + 0.7 * t8 + 0.7 * c7 + 0.2 * np.sum(z6 * z6))


ARGS = (np.array([0.8652521967887878, 1.5126017332077026], dtype=np.float32), np.float32(-1.379970908164978),)
MORE = ((np.array([1.5916097164154053], dtype=np.float32), np.float32(0.8404831290245056),),)
SEED = 1020000798
