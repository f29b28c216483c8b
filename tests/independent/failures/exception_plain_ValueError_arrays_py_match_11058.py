# exception: plain ValueError arrays.py:match: f([]): raised ValueError: operands could not be broadcast together with shapes (0,) (2,)
# compiled: False
def f(alpha):
    [*alpha] = sum([[1, 0.5]], [])
SCRIPT = ['f([])']


