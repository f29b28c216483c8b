# exception: plain IndexError arrays.py:require: tuple index out _ range: f(C1(0.5, -2.5, -0.5)): raised IndexError: tuple index out of range
# compiled: False
from typing import NamedTuple

class C1(NamedTuple):
    a: float
    b: float
    c: float

    def __iter__(self):
        return iter((self[-3],))
OBJECT_C1 = C1(1.0, 1.25, 1.0)

def f(alpha):
    alpha = list(OBJECT_C1)
SCRIPT = ['f(C1(0.5, -2.5, -0.5))']


