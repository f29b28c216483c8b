# exception: plain TypeError arrays.py:require: unsupported operand type(_) for <<: _ and _: f(1): raised TypeError: unsupported operand type(s) for <<: 'float' and 'int'
# compiled: False
import math

def f(alpha):
    for i, v in enumerate([1.0], start=alpha):
        n5 = 2
    for v in [1.0, 2.5]:
        i *= math.sin(n5 << 1)
        n5 = max(n5, i)
    else:
        pass
SCRIPT = ['f(1)']


