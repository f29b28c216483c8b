# exception: plain TypeError tree.py:of_fields: object.__new__(list_iterator) _ not safe, use list_iterator.: f(np.array(0.5, dtype=np.float64), False, 0.5): raised TypeError: object.__new__(list_iterator) is not safe, use list_iterator.__new__()
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    it5 = enumerate([])
    return it5
SCRIPT = ['f(np.array(0.5, dtype=np.float64), False, 0.5)']


