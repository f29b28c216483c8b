import numpy as np
from gradscribe import runtime as rt


def pmap_heat_step(u, axis_i):
    device = axis_i[0, 0]
    t = np.stack([1, 2, -1], axis=0)[device]
    t2 = np.stack([-1, 0, 1], axis=0)[device]
    t3 = rt.ppermute(axis_i, t, t2, u[:1])
    t = rt.ppermute(axis_i, t2, t, u[-1:])
    wide = np.concatenate([t, u, t3], axis=0)
    return u + 0.2 * (wide[2:] - 2.0 * u + wide[:-2])
