# wrong value: plain: f(1.5, 1, None, 'a'): result: keys [] instead of ['a']
# compiled: False
import math

def f(alpha, beta, gamma, delta):
    z = math.atan
    return dict([('a', z)])
SCRIPT = ["f(1.5, 1, None, 'a')"]


