# exception: derivative ZeroDivisionError dispatch.py:results: _._ cannot _ raised _ _ negative power: loss(4.0, tuple([5, -2, 3]), 0.0): raised ZeroDivisionError: 0.0 cannot be raised to a negative power
# compiled: False
def f(alpha, beta, gamma):
    gamma **= 0.5
    z = alpha
    s = y = gamma
    return (z, s)

def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return r[1]
SCRIPT = ['loss(4.0, tuple([5, -2, 3]), 0.0)']


