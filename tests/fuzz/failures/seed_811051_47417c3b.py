# found where a loop is left
import numpy as np

def f(x, u, A, idx):
    n = len(x)
    m = u.shape[0]
    z1 = np.sin(np.sum(np.full((n + n, A.shape[0]), u[1] if np.sum(np.ones((n, len(idx)))) >= -0.86 and x[0] ** 2.0 > x[-1] * u[0] else u[-1]), axis=1, keepdims=True) - (A[-1] + x))
    x[:-2] += np.sin(x[1:-1].copy())
    a2, b3 = (z1.T[-1, -2], np.sum(u))
    for i in range(A.shape[0] - 1, -1, -2):
        z4 = np.stack((z1[i % (n + n)], x), axis=1)
        k5 = 0
        while b3 > 1.26 and k5 < 6:
            k5 += 2
            for j in range(2 - 1, -1, -1):
                t6 = np.abs(0.7 * (b3 - x[i]))
                if np.sum(A[::-1, :], axis=(0, 1)) >= -0.55:
                    break
                elif b3 > u[k5 % u.shape[0]] / (2.0 + t6 * t6):
                    x[1:] *= np.sin(np.sqrt(1.0 + z4[-2::-1, -2] * z4[-2::-1, -2]))
                    w7 = u[:]
                if -0.79 < 0.8 * (j * 0.15 * t6) < 1.21:
                    return (np.tanh(np.ones_like(u)), np.sin(z4[i, -1 - j]))
            if -0.72 < b3 < 0.32:
                continue
        if np.cos(A[i, i]) < z4.max(axis=(0, 1)) or -1.32 < z4[i, -1] < 0.78:
            continue
        t8 = u[-1] / (2.0 + a2 * a2)
    return (np.exp(-u[::-1] * u[::-1]) + 0.7 * b3 + 0.7 * a2 + 0.3 * np.sum(np.sin(z1)), np.min(A) + 0.5 * b3 + 0.5 * a2 + 0.2 * np.sum(z1 * z1) + 0.2 * np.sum(A * A))


ARGS = (np.array([0.6902177295395697], dtype=np.float64), np.array([-1.2352632515920559, -1.4268434716244216], dtype=np.float64), np.array([0.23612892060602664], dtype=np.float64).reshape(1, 1), np.array([0], dtype=np.int64),)
MORE = ((np.array([-0.8863329385661189], dtype=np.float64), np.array([-1.1789500629375227], dtype=np.float64), np.array([-1.5889169434242332], dtype=np.float64).reshape(1, 1), np.array([0], dtype=np.int64),),)
SEED = 811051
