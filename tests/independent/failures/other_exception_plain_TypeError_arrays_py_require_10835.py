# other exception: plain TypeError arrays.py:require: f(4, -1): TypeError: "Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'" instead of UFuncTypeError:
# compiled: False
import numpy as np

def f(alpha, beta):
    alpha *= np.array([0])
    alpha += np.tanh(beta)
SCRIPT = ['f(4, -1)']


