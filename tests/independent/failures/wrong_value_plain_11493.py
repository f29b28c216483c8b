# wrong value: plain: f(C0(0.75, np.array([-2.5, 1.0, 1.5])), -2.5): result: type NoneType None instead of float 0.5
# compiled: False
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C0:
    a: float
    b: np.ndarray = field
    scale = None

def f(alpha, beta):
    return C0.scale
SCRIPT = ['f(C0(0.75, np.array([-2.5, 1.0, 1.5])), -2.5)', 'C0.scale = 0.5', 'f(C0(0.75, np.array([-2.5, 1.0, 1.5])), -2.5)']


