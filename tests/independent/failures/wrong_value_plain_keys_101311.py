# wrong value: plain, keys: f(-0.5, np.int32(6), C1(np.array([1e300, 0.75]), 0.1, np.array([1.0, 1.5], dtype=np.float64)), 4.0): result.__dict__: keys ['a', 'b', 'c', 'total'] in
# compiled: False
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C1:
    a: np.ndarray
    b: float
    c: np.ndarray
    total: float = field(init=False, default=0.0)

def f(alpha, beta, gamma, delta):
    z = gamma
    return z
SCRIPT = ['f(-0.5, np.int32(6), C1(np.array([1e300, 0.75]), 0.1, np.array([1.0, 1.5], dtype=np.float64)), 4.0)']


