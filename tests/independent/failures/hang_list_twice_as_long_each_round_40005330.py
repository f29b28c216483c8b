# hang: a list that gets twice as long in each round of a loop which the run leaves
# compiled: False
def f(alpha):
    y = [0.5, 1.0, 2.5]
    while alpha < 3.0:
        alpha = alpha + 1.0
        y += list(map(float, y))
    return y
SCRIPT = ['f(1.5)', 'f(2.5)']
