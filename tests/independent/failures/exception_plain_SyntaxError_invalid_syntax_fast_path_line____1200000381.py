# exception: plain SyntaxError ?: invalid syntax (<fast path>, line _): f(C0(3.0, 1.5), -1, np.array([2, 0, 0], dtype=np.uint8)): raised SyntaxError: invalid syntax (<fast path>, line 7)
# compiled: False
from typing import NamedTuple
import numpy as np

class C0(NamedTuple):
    a: float
    b: float

def f(alpha, beta, gamma):
    if beta != beta:
        raise f'{alpha!r:>8}'
SCRIPT = ['f(C0(3.0, 1.5), -1, np.array([2, 0, 0], dtype=np.uint8))']
