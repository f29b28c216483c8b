# missing exception: plain OverflowError: f(-2, 'a'): Python raises OverflowError: Python integer -2 out of bounds for uint32
# compiled: False
import numpy as np

def f(alpha, beta):
    alpha /= alpha + G0
SCRIPT = ['G0 = np.uint32(0)', "f(-2, 'a')"]


