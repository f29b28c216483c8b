# wrong value: plain: f(0.25, True): result: <property object at 0x7f9b6a5cf380> instead of <property object at 0x7f9b6a5cc6d0>
# compiled: False
class C1:

    @property
    def norm():
        pass

def f(alpha, beta):
    z = C1.norm
    return z
SCRIPT = ['f(0.25, True)']


