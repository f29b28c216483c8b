# wrong value: plain: f({'a': 0.75}, 3.0): result: type float 1.0 instead of int 1
# compiled: False
def f(alpha, beta):
    if (z := 1) < beta:
        pass
    else:
        z = beta
    return z
SCRIPT = ["f({'a': 0.75}, 3.0)"]


