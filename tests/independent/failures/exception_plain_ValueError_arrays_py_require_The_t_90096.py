# exception: plain ValueError arrays.py:require: The truth value _ _ array with more than one element _ ambig: f('a', 'key'): raised ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()
# compiled: False
def f(alpha, beta):
    z = [1.0, 2.5]
    x = bool(z)
SCRIPT = ["f('a', 'key')"]


