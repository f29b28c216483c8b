# exception: plain ValueError arrays.py:require: _ negative number _ _ fractional power _ _ complex number: f(-1.0): raised ValueError: a negative number to a fractional power is a complex number
# compiled: False
def f(alpha):
    alpha **= 0.5
SCRIPT = ['f(-1.0)']


