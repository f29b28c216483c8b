# found where a loop is left
import numpy as np

def f(x, u, A, c, idx):
    n = len(x)
    m = len(u)
    if np.sum(np.ones_like(x)) < -0.23:
        B1 = np.where(A > 1.3, A[:, :], u[:, np.newaxis])
        for i in range(1, A.shape[0] - 1):
            r2 = np.reshape(A, -1)
            for j in range(i + 1, u.shape[0]):
                if c + u[i] <= 1.22:
                    continue
                elif -0.27 < np.sqrt(1.0 + c * c) < 1.25 and np.sum(A, axis=(0, 1)) > r2.dot(r2):
                    x[::-1] = 0.6 * np.maximum(np.exp(np.tanh(A[j, ::-1])), j * 0.15)
                    A[j, ::-2] -= np.tanh(np.where(x[::-2] < A[m - 1 - i, ::-2], x[::-2], A[m - 1 - i, ::2]) - np.minimum(B1[j, ::-2], c))
                B1 = np.sin(A[-2] * (1.0 * (u[:, None] - A[m - 1 - j])))
            if -1.14 < np.tanh(u[i]) < 0.81:
                continue
    return np.sum(x) + 0.2 * np.sum(A * A) + 0.2 * np.sum(u * u) + 0.2 * np.sum(x * x)


ARGS = (np.array([], dtype=np.float64), np.array([], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 0), 0.7160901278650447, np.array([], dtype=np.int64),)
MORE = ((np.array([], dtype=np.float64), np.array([], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 0), -0.9789745576536216, np.array([], dtype=np.int64),),)
SEED = 900000988
