# seed 3772294155, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v, c=0.45):
    v[-2::-1] += np.cos(0.3 + c)
    z1 = (0.7 * (v[1] + v[-2:]))[:, None] * np.mean(np.zeros((len(v), v.shape[0]), dtype=np.float64), axis=0, keepdims=True)
    z2 = np.concatenate((0.7 * v[[0, -1]].dot(z1[:, ::-1]), np.log(2.0 + v * v)))

def f(A, c):
    m, n = A.shape
    s1 = 0.0
    for i in range(n):
        s2 = np.tanh(np.matmul(A[1, ::-1], A[i % m]))
        l3, r4 = (0, len(A) - 1)
        while l3 < r4:
            h0(A[:, i])
            q5 = 2
            B6 = w7 = np.sin(0.7 * A[1:, :] - np.sin(A[:0:-1, :]))
            s2 = s2 - np.tanh((-1.14 + B6[l3 % w7.shape[0], -1 - i]) % 3.7)
            r4 -= 1
        for j in range(n - 1, -1, -2):
            B8 = np.sin(A) / (2.0 + 0.7 * A * (0.7 * A))
            h0(B8[-2])
            if np.cos(s1) > abs(s1):
                break
        s1 -= np.abs(0.1 * len(A))
    return np.full(n, -s1) + np.sin(A) + 0.7 * s1


ARGS = (np.array([0.8044456610275992, -1.5021192342446086, 1.0409728026219702, -0.6203686572960141], dtype=np.float64).reshape(2, 2), 0.24964331377784776,)
MORE = ((np.array([-1.0842464904770113, 0.19649316288188734, -0.4135337650332034, 0.31891772388889694], dtype=np.float64).reshape(2, 2), -0.35403993541209156,),)
SEED = 3772294155
