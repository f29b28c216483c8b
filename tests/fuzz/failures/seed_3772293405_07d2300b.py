# seed 3772293405, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v):
    if np.sqrt(1.0 + v[0] * v[0]) <= -0.38:
        c1 = 0.2 * np.tanh(v).dot(np.ones_like(v) * v)
    else:
        v[:-2] = np.log(2.0 + -0.45 * -0.45)
        c1 = np.mean(np.tanh(v[::-1] ** 3))

def f(y, c):
    n = y.shape[0]
    s1 = 1.0
    k2 = 0
    while k2 < 6:
        k2 += 1
        h0(v=y[::2])
        h0(y[1:-1])
        for i in range(len(y) - 1, -1, -1):
            w4 = np.tanh(y)
            if 0.6 * np.sum(np.tanh(y[:])) > 0.4 * y[i] * s1:
                break
        v5 = y
        s1 = s1 + s1
    h0(y[-2:])
    b6 = -0.24 < 0.1 * np.sum(0.3 * y) < 0.53
    y[-1], y[0] = (y[0], y[-1])
    w7 = 0.3 * y / (2.0 + c * c)
    return (w7[:] + 0.7 * s1, s1)


ARGS = (np.array([-1.016334601948759, -1.0495058885023696, -0.8778186998647194, 0.9359746793191923, 0.304680994402321, 0.4988504285319366, -1.5804335182941243], dtype=np.float64), 1.285022020997804,)
MORE = ((np.array([0.2139256555108695, 0.8401015787004984, -1.24000855115855, 0.7690048380215435, 1.0185462687404065, -0.9604415405648642, -0.00177647708030082], dtype=np.float64), 0.9085548155418333,),)
SEED = 3772293405
