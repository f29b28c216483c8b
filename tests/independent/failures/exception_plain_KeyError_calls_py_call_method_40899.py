# exception: plain KeyError calls.py:call_method: _: f(np.int64(-4), np.array([False, True, True, False], dtype=np.bool_), 3, None): raised KeyError: 'a'
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    y = '{}:{a}'.format('k-v', a='%s')
SCRIPT = ['f(np.int64(-4), np.array([False, True, True, False], dtype=np.bool_), 3, None)']


