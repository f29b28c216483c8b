# wrong derivative: derivative: loss(np.array([4.0, -2.5, 0.75], dtype=np.float64)): 1.146368358877652 along [array([0.78656533, 0.76424557, 0.88182512])], differences say 0.76424557
# compiled: False
import numpy as np

def f(alpha):
    y = 2
    return alpha.clip(y, alpha)

def loss(alpha):
    r = f(alpha)
    return r[1]
SCRIPT = ['loss(np.array([4.0, -2.5, 0.75], dtype=np.float64))']


