# wrong value: plain: f(0.5, 2.0): result: type float 0.0 instead of int 0
# compiled: False
def f(alpha, beta):
    alpha = alpha if beta != beta else 0
    return alpha
SCRIPT = ['f(0.5, 2.0)']


