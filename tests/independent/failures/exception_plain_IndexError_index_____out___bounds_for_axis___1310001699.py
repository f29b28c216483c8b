# exception: plain IndexError ?: index _ _ out _ bounds for axis _ with size _: f(np.uint32(0), -3): raised IndexError: index 6 is out of bounds for axis 0 with size 1
# compiled: False
import numpy as np

def f(alpha, beta):
    z = [6]
    n5 = z
    return np.piecewise(n5, z, z)
SCRIPT = ['f(np.uint32(0), -3)']
