# other exception: plain IndexError builtin_api.py:handler: list index out _ range: f([], 2.0, {'a': 0.1, 'b': 0.5, 'c': 0.1}, True): IndexError: 'list index out of range' instead of ValueError: 'max() arg is an empty sequence'
# compiled: False
def f(alpha, beta, gamma, delta):
    return max(alpha)
SCRIPT = ["f([], 2.0, {'a': 0.1, 'b': 0.5, 'c': 0.1}, True)"]


