# other exception: plain TypeError arrays.py:require: f(1.25, 'b', {'a': -0.5, 'b': 0.5, 'c': 1.0}, np.array([[4, 2, 3], [1, 5, 5], [1, 6, 4]], dtype=np.uint32)): TypeError: "Cannot cast ufunc 'multiply' 
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    delta *= alpha
SCRIPT = ["f(1.25, 'b', {'a': -0.5, 'b': 0.5, 'c': 1.0}, np.array([[4, 2, 3], [1, 5, 5], [1, 6, 4]], dtype=np.uint32))"]


