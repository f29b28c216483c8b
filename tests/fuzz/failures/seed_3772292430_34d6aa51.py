# seed 3772292430, jit, KeyError: raises KeyError: 't__65'
import numpy as np

def h0(c, d):
    t1 = d
    t1 = np.exp(-d * d) - np.tanh(c)
    return t1

def f(A, k):
    n, m = A.shape
    s1 = 0.0
    for i in range(m):
        s1 += np.tanh(np.mean(np.maximum(A[::-1, ::-1], A[:, :])))
        A[-2::-1, ::-2] += A[-1, ::2].copy() / (2.0 + 0.1 * m * (0.1 * m))
        A.T[i, k % n] *= np.tanh(np.min(0.3 * (A[0, i] * A)))
    for i in range(0, A.shape[0], 2):
        A[-1, :-2] = np.sin(1.0 * (A.T[i % A.shape[1], i] - -0.48))
        s2 = 0.0
        k3 = 0
        while True:
            k3 += 1
            s2 += 0.3 * h0(s1 + s2, -s1)
            A /= 1.3 + np.tanh(A[0]) * np.tanh(A[0])
            s2 -= 0.3 * A.min()
            if k3 > 2 or i == 2:
                break
    return (np.mean(A[::-1, :], axis=(0, 1)) + 0.5 * s1, A)


ARGS = (np.array([0.4113407410320091, 1.4857392197621375], dtype=np.float64).reshape(1, 2), 3,)
MORE = ((np.array([1.4245256897043084, -1.2658594602544149, -1.0698404176147873], dtype=np.float64).reshape(1, 3), 0,),)
SEED = 3772292430
