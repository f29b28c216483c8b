# other exception: plain IndexError arrays.py:require: user: <class _>: f(np.float32(4.0), tuple([0.75, 0.0])): message "user: <class 'program_268.C1'>" instead of "user: <class 'program_267.C1'>"
# compiled: False
import numpy as np

class C1:
    pass

def f(alpha, beta):
    raise IndexError(f'user: {C1!r:>8}')
SCRIPT = ['f(np.float32(4.0), tuple([0.75, 0.0]))']


