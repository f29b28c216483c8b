# seed 3772292404, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v, c=0.45):
    v[:-1] -= 0.4 * np.exp(np.tanh(v[1:]))
    return v[:-1] + 0.2 * np.sum(v * v)

def f(x, A):
    n = x.shape[0]
    m = A.shape[0]
    l1, r2 = (0, n - 1)
    while l1 < r2:
        for i, e3 in enumerate(x):
            B5 = np.exp(np.tanh(A[:, :]))
            e3 -= np.sin(B5.T[i, i % len(B5)])
            h0(v=B5[r2 % m])
        l1 += 1
    return (np.zeros(len(A), dtype=np.float64)[:, None] + x[::-1] + 0.5 * A + 0.3 * np.sum(np.sin(x)), x)


ARGS = (np.array([0.4285969276053234, -0.8073365774855941, -1.3072052159372323, -0.8097010417291411, 0.2229812432536864, -1.0061085259991291, -0.6430463572794939], dtype=np.float64), np.array([1.174641996596486, 1.573371622960098, -0.10425705097320837, 0.229925456014048, -1.208009299330582, -0.0722868650844819, -0.30008712092543455], dtype=np.float64).reshape(1, 7),)
MORE = ((np.array([0.87382481154361], dtype=np.float64), np.array([-0.3419923253855779], dtype=np.float64).reshape(1, 1),),)
SEED = 3772292404
