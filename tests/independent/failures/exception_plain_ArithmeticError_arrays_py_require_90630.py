# exception: plain ArithmeticError arrays.py:require: user: _: f(2, 0.25, np.array([-1.0, 4.0, -2.5])): raised ArithmeticError: user: 3
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    if hasattr(0.1, 'a'):
        raise ArithmeticError(f'user: {3}')
SCRIPT = ['f(2, 0.25, np.array([-1.0, 4.0, -2.5]))']


