# exception: plain KeyError calls.py:call_method: f(-1, 3, np.array([-0.5, 4.0, 0.25, 0.1], dtype=np.float32), {'a': 1.25}): raised KeyError: 'a'
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    if '{}:{a}'.format('b', a='b'):
        pass
    else:
        pass
SCRIPT = ["f(-1, 3, np.array([-0.5, 4.0, 0.25, 0.1], dtype=np.float32), {'a': 1.25})"]


