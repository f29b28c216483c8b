# seed 3772293657, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(u, c):
    u[::2] = 0.4 * (u[::-2] * (u[::-2] * u[::2]))
    u[1] -= np.tanh(c)
    for i in range(u.shape[0] - 1, -1, -1):
        v1 = u[1:]
        c += 0.4 * v1[i % v1.shape[0]]
    u[1:] *= np.tanh(np.minimum(u[-2::-1], u[1:]))
    p2 = 2 * np.arange(len(u)) % len(u)
    return (0.3 * (c * c) + 0.5 * c + 0.3 * np.sum(np.sin(u)), np.full(u.shape[0], c) + 0.7 * c)


ARGS = (np.array([-0.04328707435820367, -0.9244391444951674], dtype=np.float64), -1.1519720807453888,)
MORE = ((np.array([-0.9640229962676738, -0.9973205865147912, 1.5931685595482246], dtype=np.float64), -0.533715703217877,),)
SEED = 3772293657
