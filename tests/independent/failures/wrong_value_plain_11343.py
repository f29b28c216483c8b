# wrong value: plain: f(0.5, np.array([2, 3, 6], dtype=np.int64)): result: type float 2.0 instead of int 2
# compiled: False
import numpy as np

def f(alpha, beta):
    x = {'a': 1.5, 'b': 2}
    beta, s = (1.0, 2)
    if (t := x['a']):
        for i in range(len([1.0])):
            t = s
    else:
        pass
    return t
SCRIPT = ['f(0.5, np.array([2, 3, 6], dtype=np.int64))']


