# wrong value: plain, keys: f(tuple([0.25, 0.75]), np.array([-1, -4, -5], dtype=np.int64), None, C0(-2.5)): result.__dict__: keys ['a', 'total'] instead of ['a']
# compiled: False
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C0:
    a: float
    total: float = field(init=False, default=0.0)

def f(alpha, beta, gamma, delta):
    s = delta
    return s
SCRIPT = ['f(tuple([0.25, 0.75]), np.array([-1, -4, -5], dtype=np.int64), None, C0(-2.5))']


