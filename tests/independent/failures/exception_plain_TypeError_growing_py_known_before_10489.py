# exception: plain TypeError growing.py:known_before: f(np.array([-2.5, -1.0, 1.0], dtype=np.float32), False): raised TypeError: cannot unpack non-iterable NoneType object
# compiled: False
import numpy as np
OBJECT_C2 = np.array([3.0, 1.0])

def f(alpha, beta):
    x = [OBJECT_C2 for v in alpha for z in range(3)]
SCRIPT = ['f(np.array([-2.5, -1.0, 1.0], dtype=np.float32), False)']


