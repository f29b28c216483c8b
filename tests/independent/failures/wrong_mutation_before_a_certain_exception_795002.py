# wrong mutation: a container changed by a call that is known to raise
# compiled: True
def f(alpha, gamma):
    alpha[4] = gamma
    return alpha[0]
SCRIPT = ["SHARED = {'a': 2, 'b': 2, 'c': -2}", 'f(SHARED, 0.75)', 'f({0: 1.5}, 2.0)', 'f(SHARED, 0.5)']
