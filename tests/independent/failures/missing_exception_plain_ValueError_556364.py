# missing exception: plain ValueError: f(-1, 4.0): Python raises ValueError: negative shift count
# compiled: False
def f(alpha, beta):
    beta *= 1 >> alpha
SCRIPT = ['f(-1, 4.0)']
