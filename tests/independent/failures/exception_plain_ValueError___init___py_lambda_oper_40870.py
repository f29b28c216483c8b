# exception: plain ValueError __init__.py:<lambda>: operands could not _ broadcast together with shapes (_,) (_,: f(4.0, tuple([1.0, 4.0, -0.5, 1.5])): raised ValueError: operands could not be broadcast together with shapes (0,) (2,)
# compiled: False
def f(alpha, beta=tuple):
    return sum([[0.5, 7]], [])
SCRIPT = ['f(4.0, tuple([1.0, 4.0, -0.5, 1.5]))']


