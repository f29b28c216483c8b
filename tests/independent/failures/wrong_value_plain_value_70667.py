# wrong value: plain, value: f(None, 3, tuple([4, 1]), 10): result: value "<class 'program_405.C0'>" instead of "<class 'program_404.C0'>"
# compiled: False
class C0:
    pass

def f(alpha, beta, gamma, delta):
    x = repr(C0)
    return x
SCRIPT = ['f(None, 3, tuple([4, 1]), 10)']


