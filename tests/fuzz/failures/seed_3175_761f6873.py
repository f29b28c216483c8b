# seed 3175, stages, CoreError: size is read but not bound there
import numpy as np

def f(y):
    y[1:] = 0.4 * y[1:] if np.matmul(y, y) else np.sin(y)
    return 0.4 * y


ARGS = (np.array([], dtype=np.float64),)
MORE = ((np.array([0.3, 0.4, 0.5], dtype=np.float64),),)
SEED = 3175
