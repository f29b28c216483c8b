# other exception: plain TypeError arrays.py:require: f(1.0, 0.1): message 'user: {alpha}' instead of 'user: 1.0'
# compiled: False
def f(alpha, beta):
    raise TypeError(f'user: {alpha!r:>8}')
SCRIPT = ['f(1.0, 0.1)']


