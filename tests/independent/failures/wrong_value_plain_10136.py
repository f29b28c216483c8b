# wrong value: plain: f(2.0, 5, None): result: type float 1.0 instead of int 1
# compiled: False
def f(alpha, beta, gamma):
    for i in range(2):
        for j in range(2, 1, -1):
            alpha = i
            beta = (w1 := 2.5)
        w1, alpha = (alpha, w1)
    return w1
SCRIPT = ['f(2.0, 5, None)']


