# exception: plain TypeError arrays.py:require: unsupported operand type(_) for &: _ and _: f(4.0): raised TypeError: unsupported operand type(s) for &: 'float' and 'float'
# compiled: False
def f(alpha):
    for j in range(4):
        pass
    for v in [1.5]:
        pass
    y = max(j, v)
    if y & y:
        pass
SCRIPT = ['f(4.0)']


