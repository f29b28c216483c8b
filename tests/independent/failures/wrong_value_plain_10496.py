# wrong value: plain: f(0.5, np.array([5, 0, 4], dtype=np.uint32), C1(np.array([1.0, -1.0, 0.25], dtype=np.float64))): result.__dict__['a']: value array([3. , 1. , 2.25]) i
# compiled: False
import dataclasses
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C0:
    a: np.ndarray
    start: dataclasses.InitVar = 1.0

    def __post_init__(self, start):
        self.a = self.a + 1

class C1(C0):
    pass

def f(alpha, beta, gamma):
    return gamma
SCRIPT = ['f(0.5, np.array([5, 0, 4], dtype=np.uint32), C1(np.array([1.0, -1.0, 0.25], dtype=np.float64)))']


