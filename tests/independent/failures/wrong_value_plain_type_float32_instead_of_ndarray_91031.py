# wrong value: plain, type float32 instead of ndarray: f(np.array([[1, 1, 6], [2, 6, 0], [3, 2, 7]], dtype=np.uint8), np.uint64(6)): result: type float32 np.float32(1.5) instead of ndarray array(1.5, dtype
# compiled: False
import numpy as np

def f(alpha, beta):
    x = np.array([1.5], dtype=np.float32)[0, ...]
    return x
SCRIPT = ['f(np.array([[1, 1, 6], [2, 6, 0], [3, 2, 7]], dtype=np.uint8), np.uint64(6))']


