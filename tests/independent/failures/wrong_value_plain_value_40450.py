# wrong value: plain, value: f(1.0, 1.25): result: value 3 instead of 0
# compiled: False
def f(alpha, beta=1.0):
    n9 = 3
    while n9 and (alpha > beta) is False:
        n9 -= 1
    return n9
SCRIPT = ['f(1.0, 1.25)']


