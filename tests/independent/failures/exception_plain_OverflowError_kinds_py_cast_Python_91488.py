# exception: plain OverflowError kinds.py:cast: Python integer -_ out _ bounds for uint_: f(1.0, -1, 4.0): raised OverflowError: Python integer -1 out of bounds for uint16
# compiled: False
import numpy as np
G1 = [2.5]

def f(alpha, beta, gamma):
    z = G1[beta]
    n9 = 3
    while n9:
        n9 -= 1
        s = np.array([], dtype=np.uint16)
        beta = s.flatten()
    else:
        pass
    gamma = beta
SCRIPT = ['f(1.0, -1, 4.0)']

