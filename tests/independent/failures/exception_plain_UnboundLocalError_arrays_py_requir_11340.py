# exception: plain UnboundLocalError arrays.py:require: f('key'): raised UnboundLocalError: cannot access local variable 'z' where it is not associated with a value
# compiled: False
def f(alpha):
    n2 = 2
    while n2:
        n2 -= 1
        n4 = n2
        while n4 and (n2 <= n2) is True:
            n4 -= 1
            if (z := 'a'):
                pass
            else:
                pass
    return z
SCRIPT = ["f('key')"]

