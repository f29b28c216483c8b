# exception: plain CoreError core.py:fail: f(np.array([0.75, -2.5]), tuple([0.75, 3.0]), 1.25, 2): raised CoreError: after specialise: G0_a is bound twice
# compiled: False
def f(alpha, beta_0, beta_1, gamma, delta, G0_a, G0_b):
    alpha_len = alpha.shape[0]
    p = 1.0
    for k in range(0, 2, 1):
        p = beta_0
    return (p,)

import numpy as np
G0 = {'a': 1.0, 'b': False}

def f(alpha, beta, gamma, delta):
    for p, q in zip([1.0], beta):
        for k in range(2):
            y = G0.get
            p = q
        else:
            pass
    return p
SCRIPT = ['f(np.array([0.75, -2.5]), tuple([0.75, 3.0]), 1.25, 2)']


