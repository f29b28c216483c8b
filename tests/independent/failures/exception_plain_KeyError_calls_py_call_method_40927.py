# exception: plain KeyError calls.py:call_method: _: f(1.5, 4): raised KeyError: 'a'
# compiled: False
def f(alpha, beta):
    z = '{}:{a}'.format('b', a='k-v')
SCRIPT = ['f(1.5, 4)']


