# exception: plain TypeError numpy_api.py:one_axis: f('key', 0): raised TypeError: '<=' not supported between instances of 'int' and 'NoneType'
# compiled: False
import numpy as np

def helper1(p):
    x = np.argsort([], None)

def f(alpha, beta):
    z = helper1(beta)
SCRIPT = ["f('key', 0)"]


