# seed 3772293018, stages, ImportError: raises ImportError: cannot import name 'PART_DELETED' from 'gradscribe.transformer.specialise.syntax' (/work/main/transformer/specialise/syntax.py)
import numpy as np

def h0(v, u):
    v[::-1] /= 1.3 + 0.97 * 0.97
    z1 = np.minimum(np.full((2, u.shape[0]), -0.19, dtype=np.float32), np.ones((2, u.shape[0]), dtype=np.float32))
    t2 = np.abs(0.5 * np.ones(len(u), dtype=np.float32).sum()) * np.tanh((v[::-1] / (2.0 + v[::-1] * v[::-1])).sum())

def f(x, u, A, k):
    n = x.shape[0]
    m = len(u)
    s1 = np.zeros(A.shape[1], dtype=np.float32) @ u
    for c2 in (0.6, 0.15, 0.78):
        s1 = s1 - np.sum(np.matmul(A, np.zeros((m, m), dtype=np.float32)))
        s1 -= 0.2 * ((np.sin(s1) - np.tanh(s1)) * (-0.43 - u[0]))
        v3 = x[::-1]
        v3[:0:-1] = np.max(np.abs(np.full(m, u[0], dtype=np.float32)))
        if np.sin(np.sin(s1)) <= 0.2:
            continue
    for i in range(1, x.shape[0] - 1):
        u = 0.4 * (u - A[i, ::-1] - u[::-1].copy())
    x[::2] = 0.1 * ((u + u[:]) @ (u[:, None] - A[::-2, 0]))
    h0(u[::2], u[::2])
    return np.matmul(np.full((len(A), x.shape[0]), np.sum(np.sin(u)), dtype=np.float32), A) + 0.7 * s1 + 0.5 * A + 0.4 * u.sum() + 0.4 * x.sum()


ARGS = (np.array([], dtype=np.float32), np.array([0.9624002575874329], dtype=np.float32), np.array([], dtype=np.float32).reshape(0, 1), 3,)
MORE = ((np.array([], dtype=np.float32), np.array([1.0232888460159302], dtype=np.float32), np.array([], dtype=np.float32).reshape(0, 1), 3,),)
SEED = 3772293018
