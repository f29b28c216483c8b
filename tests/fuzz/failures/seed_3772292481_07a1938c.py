# seed 3772292481, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, u, c):
    m = len(u)
    if not (x.mean() < 0.3 and np.sqrt(1.0 + c * c) > 0.32):
        if np.exp(np.tanh(x[0])) >= -0.84:
            v1 = u[::-1]
            v1[0] = 0.03 * np.dot(np.sqrt(1.0 + x * x), x * x)
            v1[:-2] -= np.tanh(v1[1:-1] + np.cos(v1[:-2]))
            v2 = v1[:]
            v2[-1] += np.tanh(u[-1])
        else:
            w3 = x / (2.0 + x * x)
            t4 = -c
        if u.mean() < x[1] * c or np.cos(-1.24) < 0.3 * np.matmul(u, u):
            s5 = 1.0
            for i in range(x.shape[0] - 1, -1, -1):
                s5 += np.exp(-c * c)
                v6 = x[-2::-1]
                v6[:-1] = np.tanh(v6[:-1] - v6[1:])
            t8 = 0.6 * np.sum(np.tanh(x ** 3))
            t8 = 0.6 * (t8 * c) if np.mean(u) >= -0.33 else u[-1]
    elif -1.15 < np.cos(x[-3]) < 0.62:
        w9 = np.sqrt(1.0 + x[:] * x[:])
    else:
        t10 = np.sin(c) ** 2
    return np.sum(u) + 0.3 * np.sum(np.sin(u)) + 0.2 * np.sum(x * x)


ARGS = (np.array([0.9195678413900983, -1.5634026067310796, -0.27266254007283, 1.0576170251216652, 1.3238988036813448, 1.0480850029837416, -0.4976478011177832], dtype=np.float64), np.array([0.1933411680028374], dtype=np.float64), 0.1164732660096095,)
MORE = ((np.array([0.4890545436757323, 0.564604600756005, -0.5525597739048693, -1.5354515145851466, -1.5671072392529592], dtype=np.float64), np.array([0.3430035803585607], dtype=np.float64), -0.9592020609638578,),)
SEED = 3772292481
