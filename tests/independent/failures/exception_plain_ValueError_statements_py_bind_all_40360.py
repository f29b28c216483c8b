# exception: plain ValueError statements.py:bind_all: zip() argument _ _ shorter than argument _: f(np.array([0, 2], dtype=np.int32), 'a'): raised ValueError: zip() argument 2 is shorter than argument 1
# compiled: False
import numpy as np

def f(alpha, beta):
    x = alpha[0]
    if x <= x:
        pass
    else:
        *t, y = {k: w for () in dict().items()}
SCRIPT = ["f(np.array([0, 2], dtype=np.int32), 'a')"]


