# seed 3772292483, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(u, g, idx):
    m = u.shape[0]
    u[2] += 0.6 * np.minimum(u[1], g)
    w1 = -u[:]
    v2 = u
    v2[idx] += np.tanh((np.zeros((u.shape[0], idx.shape[0])) + g).mean(axis=-1))
    p3 = np.arange(m)
    return (-v2 + 0.5 * v2 + 0.7 * g + 0.5 * u, np.sin(v2[-2] + v2[-3]) + 0.2 * np.sum(w1 * w1) + 0.5 * g)


ARGS = (np.array([-1.212226426814076, -0.2278921604601305, -1.588022592499791, 0.45550443495691173, -1.2217904325359983, 0.415543749033191, 1.2078498665202861], dtype=np.float64), np.float64(0.3889031801420404), np.array([2, -1, 1, 3, 1, -5, 1], dtype=np.int64),)
MORE = ((np.array([1.516757251558777, -0.08110330490644446, 1.1469809497640369, -0.49263327239578536, -0.16069956881872938, 1.5533774042805373, -1.191493032546008], dtype=np.float64), np.float64(-1.0202356908722239), np.array([3, 1, 2, 0, 1, 2, 2], dtype=np.int64),),)
SEED = 3772292483
