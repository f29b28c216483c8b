# missing exception: plain TypeError: f(4.0, 'b'): Python raises TypeError: 'float' object cannot be interpreted as an integer
# compiled: False
def f(alpha, beta):
    for () in enumerate((), start=alpha):
        pass
SCRIPT = ["f(4.0, 'b')"]


