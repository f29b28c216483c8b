# seed 702235, stage specialised at other arguments: no exception, but the function raises IndexError
import numpy as np

def f(A, i):
    v2 = A[i][1:]
    v3 = A[::1, 3]
    return 0.3 * A


ARGS = (np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], dtype=np.float64).reshape(2, 7), 1,)
MORE = ((np.array([1.0, 1.0], dtype=np.float64).reshape(2, 1), 1,), (np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], dtype=np.float64).reshape(2, 4), 2,), (np.array([], dtype=np.float64).reshape(0, 4), 0,),)
SEED = 702235
