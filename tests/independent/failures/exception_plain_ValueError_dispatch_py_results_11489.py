# exception: plain ValueError dispatch.py:results: f(C2(-2.5, 2), None): raised ValueError: operands could not be broadcast together with shapes (0,) (2,)
# compiled: False
from dataclasses import dataclass, field

@dataclass
class C2:
    a: float
    b: int = field

def f(alpha, beta=None):
    y = alpha.b
    return [y, sum([[1.0, 2.5]], [])]
SCRIPT = ['f(C2(-2.5, 2), None)']


