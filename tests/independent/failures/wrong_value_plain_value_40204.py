# wrong value: plain, value: f(1): result: value -2 instead of 1
# compiled: False
def f(alpha):
    z, *alpha = range(3)[-2:3]
    return z
SCRIPT = ['f(1)']


