# exception: plain ValueError arrays.py:require: _ negative number _ _ fractional power _ _ complex number: f(C0(4.0, 4.0), np.array([2.0, 1.25, 2.0]), -1.0, np.array([[2.0, -1.0, 0.75], [-1.0, 1.25, 0.5], [1.25, 0.75, 3.0]])): raised ValueError: a negative 
# compiled: False
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C0:
    a: float
    b: float = field

def f(alpha, beta, gamma, delta):
    return gamma ** 1.5
SCRIPT = ['f(C0(4.0, 4.0), np.array([2.0, 1.25, 2.0]), -1.0, np.array([[2.0, -1.0, 0.75], [-1.0, 1.25, 0.5], [1.25, 0.75, 3.0]]))']


