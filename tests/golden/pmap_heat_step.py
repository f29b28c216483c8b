import numpy as np
from gradscribe import runtime as rt


def pmap_heat_step(u, axis_i):
    device = axis_i[0, 0]
    source = np.array([1, 2, -1])[device]
    target = np.array([-1, 0, 1])[device]
    received = rt.ppermute(axis_i, source, target, u[:1])
    wide = np.concatenate([rt.ppermute(axis_i, target, source, u[-1:]), u, received])
    return u + 0.2 * (wide[2:] - 2.0 * u + wide[:-2])
