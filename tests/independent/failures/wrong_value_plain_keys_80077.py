# wrong value: plain, keys: f(3.0, C0(0, 10), False): result.__dict__: keys ['a', 'b', 'total'] instead of ['a', 'b']
# compiled: False
from dataclasses import dataclass, field

@dataclass
class C0:
    a: int
    b: int = 0.5
    total: float = field(init=False, default=0.0)

def f(alpha, beta, gamma):
    return beta
SCRIPT = ['f(3.0, C0(0, 10), False)']


