# exception: plain ValueError dispatch.py:results: f(False): raised ValueError: operands could not be broadcast together with shapes (0,) (3,)
# compiled: False
import numpy as np

def f(alpha=False):
    s = np.array([])
    u = min((1.0,))
    return (s, sum([[u for v in range(3)]], []))
SCRIPT = ['f(False)']


