# wrong value: plain, keys: f(C0(np.array([-1.0, 3.0, 3.0]), -1, 2.0), -3, np.array([0, 7, 2], dtype=np.uint32), 2): result.__dict__: keys ['a', 'b', 'c', 'total'] instead of ['a
# compiled: False
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C0:
    a: np.ndarray
    b: int
    c: float
    total: float = field(init=False, default=0.0)

def f(alpha, beta, gamma, delta):
    return alpha
SCRIPT = ['f(C0(np.array([-1.0, 3.0, 3.0]), -1, 2.0), -3, np.array([0, 7, 2], dtype=np.uint32), 2)']


