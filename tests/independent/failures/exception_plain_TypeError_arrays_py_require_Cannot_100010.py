# exception: plain TypeError arrays.py:require: Cannot cast ufunc _ output from dtype(_) _ dtype(_) with cas: f(np.array([1.0]), np.bool_(False), np.repeat(np.array([4], dtype=np.int8), 2, axis=0)[::2], 1.25): raised TypeError: Cannot cast ufunc 'add' output f
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    alpha = (1.0, 2)
    (beta, s), y = enumerate(alpha)
    gamma += {'a': 1.5, 'b': 2}['a'] if delta <= 0.25 >= 3.0 else beta
SCRIPT = ['f(np.array([1.0]), np.bool_(False), np.repeat(np.array([4], dtype=np.int8), 2, axis=0)[::2], 1.25)']


