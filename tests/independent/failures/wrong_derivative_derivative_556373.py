# wrong derivative: derivative: loss(C1(3.0), 'a', 1.25): 5.2048248247176145 along [0.6996528846087864], differences say 5.193534452097026, jvp 5.204824912938063
# compiled: False
from dataclasses import dataclass, field
import numpy as np
G0 = np.array([-1.0])

@dataclass
class C1:
    a: float

def f(alpha, beta, gamma):
    for v in range(3):
        v = v + np.float32(2) ** gamma
        v = v - G0[-1]
    y = np.array([])
    v = v * gamma
    return [v, y]

def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return r[0]
SCRIPT = ["loss(C1(3.0), 'a', 1.25)"]
