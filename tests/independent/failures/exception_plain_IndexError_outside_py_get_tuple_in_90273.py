# exception: plain IndexError outside.py:get: tuple index out _ range: f(np.array([0, 0, 6, 1], dtype=np.uint32)): raised IndexError: tuple index out of range
# compiled: False
from typing import NamedTuple
import numpy as np

class C0(NamedTuple):
    a: int

    def __iter__(self):
        return iter([v for v in (1.5, self.a)])
OBJECT_C0 = C0(2)

def f(alpha):
    v = OBJECT_C0
SCRIPT = ['f(np.array([0, 0, 6, 1], dtype=np.uint32))']


