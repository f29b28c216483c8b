# exception: plain TypeError expressions.py:_compare: f('a', 'a', -3): raised TypeError: '<' not supported between instances of 'str' and 'float'
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    for i in range(np.array([[]]).shape[0]):
        y = np.array([0.75, 4.0]).size
    while y < 2.0:
        alpha, y = (y, alpha)
SCRIPT = ["f('a', 'a', -3)"]


