# exception: plain TypeError arrays.py:require: unsupported operand type(_) for ^: _ and _: f(tuple([-2.5, -0.5, 2.0]), -1.0): raised TypeError: unsupported operand type(s) for ^: 'float' and 'int'
# compiled: False
def f(alpha, beta):
    n4 = 1
    while n4:
        n4 -= 1
        if n4:
            pass
        else:
            z = n4
        z = (z ^ 1) * 0.0
SCRIPT = ['f(tuple([-2.5, -0.5, 2.0]), -1.0)']


