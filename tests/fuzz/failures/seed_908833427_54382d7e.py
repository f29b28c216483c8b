# seed 908833427, vjp, pullback, Unaligned
import numpy as np

def f(u):
    v1 = u
    v1[1:] += 0.2 * (np.abs(v1[1:]) if np.log(2.0 + 0.9) > 0.8 else u - 1)
    return u


ARGS = (np.array([], dtype=np.float64),)
MORE = ()
SEED = 908833427
