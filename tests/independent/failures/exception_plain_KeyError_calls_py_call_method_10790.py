# exception: plain KeyError calls.py:call_method: f(0.5, C0(-0.5), 4): raised KeyError: 'a'
# compiled: False
class C0:

    def __init__(self, a):
        pass

def f(alpha, beta, gamma):
    return '{}:{a}'.format('a', a='b')
SCRIPT = ['f(0.5, C0(-0.5), 4)']


