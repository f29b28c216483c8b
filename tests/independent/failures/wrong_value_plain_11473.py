# wrong value: plain: f(np.array(-0.5, dtype=np.float32), 'b'): result: float32() array(-0.5, dtype=float32) instead of float32(1,) array([-0.5], dtype=float32)
# compiled: False
import numpy as np

def f(alpha, beta):
    x = np.ascontiguousarray(alpha)
    return x
SCRIPT = ["f(np.array(-0.5, dtype=np.float32), 'b')"]


