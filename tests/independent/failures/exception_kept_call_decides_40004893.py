# exception: plain TypeError: an int that a kept call gives decides a branch
# compiled: True
import gradscribe as gs

@gs.checkpoint
def kept(u, w=2.0):
    return 10 * w

def f(alpha):
    alpha //= kept(1, alpha)
    while alpha:
        alpha = 0
    return alpha
SCRIPT = ['f(-3)', 'f(4)']
