# wrong mutation: a list changed only on the path that raises
# compiled: False
def f(alpha, beta):
    if beta > 0:
        alpha.append(2.0)
        raise ValueError('user: no')
    return beta
SCRIPT = ["SHARED = [1.0]", 'f(SHARED, 0.75)', 'f(SHARED, -0.75)', 'f(SHARED, 0.75)']
