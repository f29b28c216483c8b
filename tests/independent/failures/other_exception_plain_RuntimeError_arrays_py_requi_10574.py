# other exception: plain RuntimeError arrays.py:require: f(C1(4, 3), 1.25): RuntimeError: '' instead of TypeError: 'exceptions must derive from BaseException'
# compiled: False
G0 = 0.25

class C1:

    def __init__(self, a, b):
        pass

def f(alpha, beta):
    raise f'{G0!r:>8}'
SCRIPT = ['f(C1(4, 3), 1.25)']


