# other exception: plain ValueError arrays.py:require: f(0.75, [0.75, -2.5, 0.1], 7): message 'user: {gamma}' instead of 'user: 7'
# compiled: False
def f(alpha, beta, gamma):
    raise ValueError('user: ' + str(gamma))
SCRIPT = ['f(0.75, [0.75, -2.5, 0.1], 7)']


