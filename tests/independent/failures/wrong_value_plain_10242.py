# wrong value: plain: f(np.array([[1, 4, 1], [3, 6, 4], [7, 0, 7]], dtype=np.uint8), 2, C4(np.array([-2.5, 1.25, -2.5]), 0.25, -0.5)): result.__dict__['a']: value 1.0 inste
# compiled: False
import dataclasses
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C4:
    a: np.ndarray
    b: float
    start: dataclasses.InitVar = 1.0

    def __post_init__(self, start):
        self.a = start

def f(alpha, beta, gamma):
    z = gamma
    return z
SCRIPT = ['f(np.array([[1, 4, 1], [3, 6, 4], [7, 0, 7]], dtype=np.uint8), 2, C4(np.array([-2.5, 1.25, -2.5]), 0.25, -0.5))']


