# exception: plain CoreError core.py:fail: after specialise: G___ _ bound twice: f(C2(1.5, 1e-300), 0.75): raised CoreError: after specialise: G1_0 is bound twice
# compiled: False
def f(a, b, beta, G1_0):
    going, n6 = True, 3
    while going:
        t = n6 - 1
        t__1 = t != 0
        going, n6 = t__1, t
    return ()

from dataclasses import dataclass, field
G1 = [1.0]

@dataclass
class C2:
    a: float
    b: float

def f(alpha, beta):
    n6 = 3
    while n6:
        n6 -= 1
        for v in G1:
            pass
SCRIPT = ['f(C2(1.5, 1e-300), 0.75)']


