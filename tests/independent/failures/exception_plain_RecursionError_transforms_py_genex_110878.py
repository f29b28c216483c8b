# exception: plain RecursionError transforms.py:<genexpr>: maximum recursion depth exceeded: f('b'): raised RecursionError: maximum recursion depth exceeded
# compiled: False
def f(alpha):
    *y, = enumerate(range(4))
    y.append(y)
    return y
SCRIPT = ["f('b')"]


