# exception: plain AttributeError: an int takes the place of the only float of an object
# compiled: True
class C0:
    def __init__(self, a):
        self.a = a

def f(alpha, beta):
    alpha.a = beta + 1
    return alpha, C0
SCRIPT = ['f(C0(-1.0), -3)']
