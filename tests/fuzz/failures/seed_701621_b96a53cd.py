# seed 701621, stage optimised at other arguments, ZeroDivisionError
import numpy as np

def f(A):
    n, m = A.shape
    A[1:, :-2] = np.reshape(np.full(m - 2, 1), (n - 1, m - 2))
    w = np.ones(n - 1)
    return 1.08 * A + np.sum(w[::-1])


ARGS = (np.array([1.4, -1.2], dtype=np.float64).reshape(1, 2),)
MORE = ((np.array([-0.5], dtype=np.float64).reshape(1, 1),), (np.array([], dtype=np.float64).reshape(0, 2),),)
SEED = 701621
