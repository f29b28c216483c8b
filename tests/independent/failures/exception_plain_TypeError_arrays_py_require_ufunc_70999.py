# exception: plain TypeError arrays.py:require: ufunc _ not supported for the input types, and the inputs co: f(1.25): raised TypeError: ufunc 'invert' not supported for the input types, and the inputs could not be safely coerced to any supported types accordi
# compiled: False
import numpy as np

def f(alpha):
    for i in range(2):
        pass
    for v in [1.0, 2.5]:
        v = ~i
        n5 = 2
        while 3 < v:
            i = np.sqrt(n5)
SCRIPT = ['f(1.25)']

