# wrong value: plain: f(4.0, 1.5): result: type float 2.0 instead of int 2
# compiled: False
def f(alpha, beta):
    s = {'a': 1.5, 'b': 2}.get('a') if 2 > alpha else {'a': 1.5, 'b': 2}['b']
    return s
SCRIPT = ['f(4.0, 1.5)']


