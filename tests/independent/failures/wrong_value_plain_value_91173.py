# wrong value: plain, value: f(3, 4.0, np.array([[4.0, 3.0], [0.25, 0.5]])): result: value 0 instead of 2
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    n4 = 2
    while n4 and hasattr(0.75, 'append'):
        n4 -= 1
    else:
        pass
    return n4
SCRIPT = ['f(3, 4.0, np.array([[4.0, 3.0], [0.25, 0.5]]))']


