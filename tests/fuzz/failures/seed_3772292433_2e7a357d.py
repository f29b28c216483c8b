# seed 3772292433, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h1(v, u, c):
    s1 = 0.1 * u.shape[0] * u[-1]
    for i in range(len(v) - 1, -1, -1):
        s1 = s1 + s1
        b2 = np.cos(c) > 0.1 * (u @ v)
        if -1.14 < np.sin(v[i] - 0.4 * s1) < 1.06:
            break
        w3 = w4 = np.sin(v[:]) - u * np.tanh(s1)
        s1 += 0.1 * (u[1] * (0.1 * (u[:] @ v)))
    return u[:] + 0.7 * s1 + 0.5 * u + 0.5 * v

def f(x, u):
    m = len(u)
    if len(x) > 1 - 1:
        s1 = 0.0
        for i in range(3):
            s1 = s1 + np.tanh(i * 0.15 - s1) ** 2
            z2 = np.concatenate((np.ones_like(x), x)) * np.concatenate((x[::-1], x))
            w3 = h1(0.1 * z2.shape[0] - z2[1::2], z2[1::2].copy(), np.log(2.0 + x[-1] * x[-1]))
    return (u + 0.4 * x.sum(), -u + 0.5 * u + 0.2 * np.sum(x * x))


ARGS = (np.array([-1.2443552582507245, -0.6025746974792292, 1.4684338001808714, -1.4935686895068316, 1.4452317145121527, -0.9084195426378866, 0.4093926832153576], dtype=np.float64), np.array([], dtype=np.float64),)
MORE = ((np.array([-0.765595392907354, 1.2869785485481842, 0.2367233698485336, 0.7028571910719372, -1.4963455725542532, 0.8031463666422356, 0.7028011024578409], dtype=np.float64), np.array([], dtype=np.float64),),)
SEED = 3772292433
