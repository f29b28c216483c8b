# seed 3772293004, stage optimised: no exception, but the function raises IndexError: index 2 is out of bounds for axis 0 with size 1
import numpy as np

def h0(v):
    v -= 0.5 * np.minimum(np.min(v[::-1]), v[0])
    return (v[-1] if np.max(v[::-1]) >= 0.69 else v[2]) + 0.3 * np.sum(np.sin(v))

def f(x, u, idx, size):
    m = u.shape[0]
    if u[0] - u[-1] > -0.53:
        for i in range(m - 1, -1, -1):
            if not (np.tanh(0.1 * m) > u[i] / (2.0 + u[i] * u[i]) and -1.1 < np.tanh(i * 0.15) < 1.22):
                p1 = np.arange(size)
                v2 = x
                v2 -= 0.2 * np.matmul(v2 - x, v2[p1])
                s3 = 1.0
                for j, e4 in enumerate(u):
                    s3 += 0.7 * np.sqrt(1.0 + -0.37 * -0.37)
                    q6 = (i + 1) % 3
                    h0(u[::2])
            else:
                w7 = np.exp(np.tanh(np.sin(u[::-1]) % 3.7))
    return (np.exp(-x * x) + 0.2 * np.sum(u * u) + 0.5 * x, np.tanh(np.tanh(u[0])) + 0.4 * u.sum() + 0.3 * np.sum(np.sin(x)), np.tanh(u).dot(np.ones((u.shape[0], size))) + 0.3 * np.sum(np.sin(u)) + 0.5 * x)


ARGS = (np.array([], dtype=np.float64), np.array([0.731110934974704], dtype=np.float64), np.array([], dtype=np.int64), 0,)
MORE = ((np.array([], dtype=np.float64), np.array([-0.7820422218347048], dtype=np.float64), np.array([], dtype=np.int64), 0,),)
SEED = 3772293004
