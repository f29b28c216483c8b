# missing exception: plain TypeError: reverse= is an int
# compiled: False
import numpy as np

def f(alpha):
    return [u for _, u in sorted(zip([(0, 1.0), (1, 2.5)], [1.0, 2.5]), key=lambda u: u[0], reverse=np.bool_(True))]
SCRIPT = ['f(np.int64(0))', 'f(1)', 'f(3)']
