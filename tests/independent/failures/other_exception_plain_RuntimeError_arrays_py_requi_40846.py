# other exception: plain RuntimeError arrays.py:require: user: {_}: f(1.0, C3(-1.0, np.array([1.0, 1.0]))): message 'user: {G0}' instead of 'user: True'
# compiled: False
import numpy as np
G0 = True

class C3:

    def __init__(self, a, b=0.75):
        pass

def f(alpha, beta):
    raise RuntimeError(f'user: {G0!r:>8}')
SCRIPT = ['f(1.0, C3(-1.0, np.array([1.0, 1.0])))']


