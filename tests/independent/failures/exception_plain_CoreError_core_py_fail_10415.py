# exception: plain CoreError core.py:fail: f(1.25, 1.25, 4): raised CoreError: after specialise: G1_0 is bound twice
# compiled: False
def f(alpha, beta, gamma, G1_0):
    trips = rt.trip_count(0, gamma, 1)
    gamma__4 = float(gamma)
    gamma__2 = gamma__4
    for j in range(0, gamma, 1):
        gamma__3 = gamma__2 + alpha
        gamma__2 = gamma__3
    return ()

import numpy as np
G1 = [3.0]

def helper2(p: 'array', q, r: 'array'):
    for v in G1:
        pass

def f(alpha, beta, gamma):
    for j in range(gamma):
        gamma = gamma + alpha
        x = helper2(np.array, 1.0, np.array)
SCRIPT = ['f(1.25, 1.25, 4)']


