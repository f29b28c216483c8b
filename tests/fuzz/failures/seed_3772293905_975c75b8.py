# seed 3772293905, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(c, d):
    a1, b2 = (d ** 2, c)
    return (np.tanh(a1), np.exp(np.tanh(c)))

def f(x, A, g, idx, size):
    x[0] += np.tanh(np.exp(np.tanh(np.mean(np.ones_like(A), axis=(0, 1)))))
    B1 = np.sin(A[::-1, 1:2] + np.where(x[None, :] > -1.36, x[None, :], x[None, :]))
    g = g + 0.4 * (np.tanh(x[-1] + A.T[1, -2]) - np.maximum(B1[-3, 1], g))

    def g2(t):
        u = np.cos(t - 0.73)
        return u * np.exp(-u * u)
    t3 = np.exp(-g * g)
    b4 = t3 > np.cos(x[-2]) and 0.4 * (A.T[1] @ B1.T[0]) < -0.81
    return np.minimum(B1[2, 0], x[-1]) + 0.5 * t3 + 0.5 * g + 0.4 * A.sum() + 0.4 * x.sum()


ARGS = (np.array([1.2742710144692615, 0.8540113169920085], dtype=np.float64), np.array([0.3191474814158568, -1.1910256726763135, 1.1226060099685564, -1.4704443027781626, -0.39635671697411823, 1.5150086325595686, -0.4688574168980233, 1.3894631713008851, 1.0909547984619823, 0.7242734952825178, 0.1885393545259959, 0.9929771345148217, 0.4105540715496021, 0.9699291904243688], dtype=np.float64).reshape(7, 2), np.float64(1.2873540312731442), np.array([6, 4], dtype=np.int64), 2,)
MORE = ((np.array([1.3207640935157197], dtype=np.float64), np.array([-0.7730300919625019], dtype=np.float64).reshape(1, 1), np.float64(0.9553601428169798), np.array([0], dtype=np.int64), 1,),)
SEED = 3772293905
