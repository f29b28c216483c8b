# hang: a list filtered each round and appended to
# compiled: True
def f(alpha, beta):
    y = []
    for v in range(2):
        y = [u for u in y if u != beta] + [beta]
        y.append(alpha)
    return y
SCRIPT = ['f(1.5, -2.0)', 'f(-2.0, -2.0)']
