# exception: plain CoreError: an array whose length is the number of the iteration, which a later one reads
# compiled: True
import numpy as np

def f(alpha):
    for j in range(2):
        try:
            y = np.maximum(np.array([3.0, 0.75, 3.0]), alpha).reshape(3, j)
        except ValueError:
            z = alpha
    return z, y
SCRIPT = ['f(1.0)', 'f(-2.5)']
