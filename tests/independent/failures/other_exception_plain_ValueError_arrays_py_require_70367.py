# other exception: plain ValueError arrays.py:require: _ negative number _ _ fractional power _ _ complex number: f(-2.5, 'b', 0.25): ValueError: 'a negative number to a fractional power is a complex number' instead of TypeError: "'>=' not supported between instan
# compiled: False
def f(alpha, beta, gamma):
    alpha **= 0.5
    assert gamma >= alpha != alpha
SCRIPT = ["f(-2.5, 'b', 0.25)"]


