# jvp: no ValueError of a value that is not needed
import numpy as np

def h0(v, u):
    v1 = v
    return (np.abs(0.3) + 0.2 * np.sum(v1 * v1) + 0.2 * np.sum(u * u) + 0.2 * np.sum(v * v), v1[:0:-1].copy() + 0.4 * v1.sum() + 0.4 * u.sum() + 0.4 * v.sum())

def f(x, A):
    n = len(x)
    x -= np.tanh(x)
    t1, w2 = h0(x[::-2], x[::2])
    w3 = np.tanh(A[-2::-1, 0])
    b4 = x[1:].min() < w2[::-1].sum()
    return (A, A.T * A + 0.4 * w3.sum() + 0.2 * np.sum(w2 * w2) + 0.5 * A + 0.4 * x.sum())


ARGS = (np.array([0.1223300757260053, -0.29874171501693003], dtype=np.float64), np.array([-1.2680216083013143, -1.3835097910522673, -1.3786605072676967, -0.12331959287504302], dtype=np.float64).reshape(2, 2),)
MORE = ((np.array([1.3669606214194063], dtype=np.float64), np.array([0.6255116155062428], dtype=np.float64).reshape(1, 1),),)
SEED = 1050002672
