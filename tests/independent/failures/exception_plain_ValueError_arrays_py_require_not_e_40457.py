# exception: plain ValueError arrays.py:require: not enough values _ unpack (expected _, got _): f(1, tuple([-1, 7])): raised ValueError: not enough values to unpack (expected 2, got 0)
# compiled: False
G0 = 4

def f(alpha, beta):
    x, x = dict([('a', G0), ('b', G0)])
SCRIPT = ['f(1, tuple([-1, 7]))']


