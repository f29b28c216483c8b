# exception: plain ValueError arrays.py:require: f(1.25, 0.75, C1(2.0)): raised ValueError: too many values to unpack (expected 2)
# compiled: False
from dataclasses import dataclass, field

@dataclass
class C1:
    a: float

def f(alpha, beta, gamma):
    x, z = range(2)[::1]
SCRIPT = ['f(1.25, 0.75, C1(2.0))']


