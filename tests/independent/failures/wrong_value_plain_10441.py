# wrong value: plain: f(-1.0, np.array([[-2, 4, 2], [5, 4, 3], [-4, 3, -3]], dtype=np.int32), np.array([6, 0, 5, -2], dtype=np.int64)): result: keys [] instead of ['a']
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    return dict([('a', 0.75)])
SCRIPT = ['f(-1.0, np.array([[-2, 4, 2], [5, 4, 3], [-4, 3, -3]], dtype=np.int32), np.array([6, 0, 5, -2], dtype=np.int64))']


