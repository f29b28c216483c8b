# exception: plain TypeError: an int that a kept call gives decides a branch, in the fast path as well
# compiled: True
import gradscribe as gs

@gs.checkpoint
def kept(u):
    return u - 3

def f(alpha):
    if kept(alpha) != 0:
        return [1.0, alpha]
    return [2.0]
SCRIPT = ['f(4)', 'f(4)', 'f(3)', 'f(3)', 'f(4)']
