# exception: plain ValueError builtin_api.py:handler: invalid literal for int() with base _: _: f(tuple([]), 1.5): raised ValueError: invalid literal for int() with base 10: 'a'
# compiled: False
G1 = 'a'

def f(alpha, beta):
    it8 = map(int, G1)
SCRIPT = ['f(tuple([]), 1.5)']

