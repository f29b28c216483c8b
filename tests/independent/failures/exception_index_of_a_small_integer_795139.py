# exception: plain IndexError: an index of NumPy that is no int64, where IndexError is caught
# compiled: True
import numpy as np
G0 = 1

def f(alpha, beta):
    try:
        y = beta[G0]
    except IndexError:
        y = -1.0
    try:
        y = y + beta[alpha]
    except Exception:
        y = y - 1.0
    return y
SCRIPT = ['f(np.uint8(7), np.array([0.0, 0.1, 1.5]))', 'f(np.int8(-3), np.array([0.0, 0.1, 1.5]))', 'G0 = np.uint64(7)',
          'f(np.int8(-4), np.array([0.0, 0.1, 1.5]))', 'f(np.uint64(2), np.array([0.0, 0.1, 1.5]))']
