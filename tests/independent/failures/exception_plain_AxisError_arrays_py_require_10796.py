# exception: plain AxisError arrays.py:require: f(0.75, np.array([0.5, 4.0]), 1.5, -0.5): raised AxisError: axis 0 is out of bounds for array of dimension 0
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    gamma = np.amin(delta, 0)
SCRIPT = ['f(0.75, np.array([0.5, 4.0]), 1.5, -0.5)']


