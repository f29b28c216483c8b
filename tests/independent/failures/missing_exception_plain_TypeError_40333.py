# missing exception: plain TypeError: f({'a': np.array([0.0, 0.1], dtype=np.float64), 'b': np.array([3.0, 2.0])}): Python raises TypeError: 'float' object cannot be interpreted as an integ
# compiled: False
import numpy as np

def f(alpha):
    return list(enumerate([], G0))
SCRIPT = ['G0 = 2.0', "f({'a': np.array([0.0, 0.1], dtype=np.float64), 'b': np.array([3.0, 2.0])})"]


