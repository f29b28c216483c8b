# exception: plain ValueError arrays.py:require: The truth value _ _ array with more than one element _ ambig: f(4.0, 0.1, []): raised ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()
# compiled: False
def f(alpha, beta, gamma):
    z = bool([0.1 for k in range(3)])
SCRIPT = ['f(4.0, 0.1, [])']


