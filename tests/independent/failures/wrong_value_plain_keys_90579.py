# wrong value: plain, keys: f(-1, C1(-1.0, np.array([0.1, 4.0, 0.25])), np.array([4, 2, 2], dtype=np.uint16)): result.__dict__: keys ['a', 'b', 'total'] instead of ['a', 'b']
# compiled: False
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C1:
    a: float
    b: np.ndarray
    total: float = field(init=False, default=0.0)

def f(alpha, beta, gamma):
    return beta
SCRIPT = ['f(-1, C1(-1.0, np.array([0.1, 4.0, 0.25])), np.array([4, 2, 2], dtype=np.uint16))']


