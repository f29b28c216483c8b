# exception: plain CoreError: a header that is one of several arrays gets another name
# compiled: True
import numpy as np

def f(alpha, beta):
    alpha += beta[-1][2]
    for k in range(3):
        if (-k) > (k + k) < k:
            beta = beta + k
        elif k < k:
            beta = 3.0
        else:
            beta = beta + (1.0)
            alpha = (beta) - alpha
    x = alpha
    if (k % 2.0) in beta:
        z = beta
    alpha **= 2
    return k, x, alpha
A = 'np.array([[0, 2, 4], [0, 1, 1], [5, 7, 5]], dtype=np.uint8)'
SCRIPT = [f'f({A}, {A})']
