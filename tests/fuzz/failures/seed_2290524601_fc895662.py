# seed 2290524601, jvp, Unaligned: raises Unaligned: (1, 0)
import numpy as np

def f(x, A, c):
    n = len(x)
    m = len(A)
    x = A[2].copy() * 0.9
    A[-3], A[-3] = (A[-3].copy(), A[-3].copy())
    s1 = 0.5 * np.full((A.shape[0], x.shape[0]), 1.12, dtype=np.float32).sum()
    for i in range(len(x) - 2, -1, -1):
        s1 = s1 - np.tanh(np.min(x))
        s2 = x[i]
        for j in range(3):
            A[j, 2:] += np.tanh(np.where(A[-3, :-2] > x[1:-1], A[-1, 1:-1], A[-2, 1:-1]) + (s2 + x[1:-1]))
            w3 = (0.9 * A[::-1, :-2]).max(axis=-2)
            t4 = np.sin(A.T[i, -3])
            if i == j:
                continue
            B5 = np.sin(A[::-1, :-2])
            s2 += np.sin(np.exp(np.tanh(s2)))
    return 0.6 * np.sum(np.sin(A[::-1, ::-1])) + 0.5 * s1 + 0.3 * np.sum(np.sin(A)) + 0.4 * x.sum()


ARGS = (np.array([], dtype=np.float32), np.array([], dtype=np.float32).reshape(7, 0), -1.3348500127056273,)
MORE = ((np.array([], dtype=np.float32), np.array([], dtype=np.float32).reshape(7, 0), 0.8152745162503359,),)
SEED = 2290524601
