# exception: plain ValueError: a place that an axis without elements has not
# compiled: False
import numpy as np

def f(alpha):
    return np.partition(alpha, 2), np.argpartition(alpha, 2)
SCRIPT = ['f(np.zeros(0))', 'f(np.array([3.0, 1.0, 2.0]))']
