# other exception: plain TypeError arrays.py:require: f(True, np.array([[True, False, True, False], [False, True, True, True], [False, True, True, False], [False, True, False, True]], dtype=np.bool_)): Ty
# compiled: False
import numpy as np

def f(alpha, beta):
    for v in beta:
        v %= 0.5
SCRIPT = ['f(True, np.array([[True, False, True, False], [False, True, True, True], [False, True, True, False], [False, True, False, True]], dtype=np.bool_))']


