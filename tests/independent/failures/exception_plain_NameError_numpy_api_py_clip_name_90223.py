# exception: plain NameError numpy_api.py:clip: name _ _ not defined: f(None, 'a', 1.25): raised NameError: name 'PY_INT' is not defined
# compiled: False
import numpy as np

def f(alpha, beta, gamma=1.25):
    gamma += np.array(6).clip(gamma)
SCRIPT = ["f(None, 'a', 1.25)"]


