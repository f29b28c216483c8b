# exception: plain ValueError arrays.py:require: The truth value _ _ array with more than one element _ ambig: f(-1.0, {'a': -0.5, 'b': 0.5, 'c': 3.0}, tuple([2.0, 1.0, 1.5])): raised ValueError: The truth value of an array with more than one element is ambiguo
# compiled: False
def f(alpha, beta, gamma):
    assert bool(gamma)
SCRIPT = ["f(-1.0, {'a': -0.5, 'b': 0.5, 'c': 3.0}, tuple([2.0, 1.0, 1.5]))"]


