# wrong value: plain: f(None, C0(np.array([0.5, 2.0, 0.5], dtype=np.float64))): result.__dict__['a']: value array([2., 8., 2.]) instead of array([1., 4., 1.])
# compiled: False
import dataclasses
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C0:
    a: np.ndarray
    start: dataclasses.InitVar = 1.0

    def __post_init__(self, start):
        self.a = self.a * 2

def f(alpha, beta):
    return beta
SCRIPT = ['f(None, C0(np.array([0.5, 2.0, 0.5], dtype=np.float64)))']


