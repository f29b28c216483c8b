# exception: plain ValueError arrays.py:require: Integers _ negative integer powers are not allowed. (Write f: f(3, -3): raised ValueError: Integers to negative integer powers are not allowed. (Write float(x) ** n.)
# compiled: False
def f(alpha, beta):

    def h3(u):
        return beta
    for v in range(3):
        s = 1 ** h3(v)
SCRIPT = ['f(3, -3)']


