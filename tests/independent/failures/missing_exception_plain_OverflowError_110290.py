# missing exception: plain OverflowError: f(0.1, np.array([2, 3, 4], dtype=np.uint64), 1e16): Python raises OverflowError: Python integer -1 out of bounds for uint64
# compiled: False
import numpy as np
G0 = (0.25, (-1,))

def f(alpha, beta, gamma):
    beta = beta[2]
    beta *= G0[1][0]
SCRIPT = ['f(0.1, np.array([2, 3, 4], dtype=np.uint64), 1e16)']


