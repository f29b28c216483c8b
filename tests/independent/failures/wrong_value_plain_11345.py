# wrong value: plain: f(True, C1(0.75, 1.5, -1)): result: type float 2.0 instead of int 2
# compiled: False
from typing import NamedTuple

class C1(NamedTuple):
    a: float
    b: float
    c: int = 0.1

def f(alpha, beta):
    for v in [1.0]:
        for i in range(3, 1, -1):
            v = i
    return v
SCRIPT = ['f(True, C1(0.75, 1.5, -1))']


