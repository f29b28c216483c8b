# exception: plain TypeError arrays.py:require: unsupported operand type(_) for *: _ and _: f({'a': 1}, 'a'): raised TypeError: unsupported operand type(s) for *: 'float' and 'Item'
# compiled: False
def helper1(p: 'list', q=0.75, m=1.5):
    m *= q.imag

def f(alpha, beta):
    if len(beta) != True:
        pass
    else:
        s = []
    alpha = helper1(s)
SCRIPT = ["f({'a': 1}, 'a')"]


