# seed 3772292480, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, k):
    n = len(x)
    if k % 3 != 1:
        return (np.abs(np.full(n, 0.74)), np.minimum(x[k % x.shape[0]], 1.3))
    w1 = x
    w1 = np.maximum(-w1[::-1], w1)
    return (np.cos(w1) + 0.5 * w1 + 0.5 * x, np.cos(w1[-3]) + 0.4 * w1.sum())


ARGS = (np.array([-0.7471708213241105, -1.2490975523259877, 0.6216884118387691, -1.3330297070969648, -0.4322352318116012, -0.5394176268778623, 1.5083025169285604], dtype=np.float64), 2,)
MORE = ((np.array([-0.8414415144984254, -0.032311123293679245, -0.7236686074692014, -1.128014333354106, 0.4130966875515698, -0.47461791608644766, -1.1597438336942316], dtype=np.float64), 0,),)
SEED = 3772292480
