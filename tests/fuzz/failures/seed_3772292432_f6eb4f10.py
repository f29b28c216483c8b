# seed 3772292432, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, u, A, c):
    n, m = A.shape
    u[1:-1] = np.tanh(0.4 - c - -x[-1])
    for i in range(len(u) - 1, 0, -1):
        w1 = -(0.1 * np.arange(m))
    x += 0.6 * x[::-1]
    s2 = 1.0 * (c + x[0])
    for i in range(1, len(x)):
        s2 -= np.sin(s2 if np.sum(np.ones((n, m))) <= 0.64 or np.exp(-c * c) < -1.15 else np.sum(A))
        A[i], A[-1 - i] = (A[-1 - i], A[i])
        u[::2] -= np.tanh(A[i, ::2])
        u[::-2] += 0.4 * (np.sin(u[::2] * x[n - 1 - i]) - A[i, ::2])
    A *= 0.2 * (0.6 * (u - u) + np.sin(u - A[0]))
    return (np.sum(np.zeros((n, m))), np.tanh(x[0] * np.full(A.shape[1], c)))


ARGS = (np.array([-0.08178556710481644], dtype=np.float32), np.array([], dtype=np.float32), np.array([], dtype=np.float32).reshape(1, 0), -1.254917251033312,)
MORE = ((np.array([0.8987542986869812], dtype=np.float32), np.array([], dtype=np.float32), np.array([], dtype=np.float32).reshape(1, 0), -1.1485036152418087,),)
SEED = 3772292432
