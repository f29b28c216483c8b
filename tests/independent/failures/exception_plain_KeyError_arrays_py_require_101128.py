# exception: plain KeyError arrays.py:require: _: f(C2(1.0), 0.25, C0(3), C2(1.25)): raised KeyError: 'user: '
# compiled: False
from dataclasses import dataclass, field

@dataclass
class C0:
    a: int

class C2:

    def __init__(self, a):
        pass

def f(alpha, beta, gamma, delta):
    if hasattr('b', 'shape'):
        raise KeyError('user: ')
    else:
        pass
SCRIPT = ['f(C2(1.0), 0.25, C0(3), C2(1.25))']


