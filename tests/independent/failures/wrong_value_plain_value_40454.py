# wrong value: plain, value: f(4.0, 'a'): result: value "<class 'program_335.C0'>" instead of "<class 'program_334.C0'>"
# compiled: False
class C0:
    pass

def f(alpha, beta):
    z = repr(C0)
    return z
SCRIPT = ["f(4.0, 'a')"]


