# seed 3772294154, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(c, d):
    if np.log(2.0 + d * d) >= -1.11 and np.sqrt(1.0 + d * d) < np.abs(c):
        d += np.tanh(c) / (2.0 + d * d)
        d = np.sin(c * c + np.exp(-d * d))
        d = -0.97 - np.tanh(c - d)
    else:
        t1 = np.exp(-np.cos(-1.18) * np.cos(-1.18))
    return 0.8 * (c + d) + 0.5 * d

def f(x, u, y, g, idx):
    n = len(x)
    if g - x[1] >= -0.48:
        g += 0.3 * h0(np.sqrt(1.0 + g * g), np.cos(g))
        u[-3] = np.tanh(-0.77)
        t1 = g
    else:
        t2 = np.cos(-1.36)
    return (u.mean() + 0.5 * g + 0.4 * y.sum() + 0.4 * x.sum(), np.min(x[:]) + 0.2 * np.sum(y * y))


ARGS = (np.array([-1.0531349555047775, -0.9854725466265549], dtype=np.float64), np.array([1.2076860324323246, -0.8901501977591629, -0.5690084093042245, -0.7847863310122474, 1.3932860541288474, 1.4292363822022636, -0.49133421210614414], dtype=np.float64), np.array([1.0000328418192166, 1.3951557342514413], dtype=np.float64), np.float64(0.5782745204715551), np.array([-1, -2], dtype=np.int64),)
MORE = ((np.array([0.9462342751427548, -0.3422171073333655, 1.111363964242988], dtype=np.float64), np.array([-1.4926317424550697, -0.0355307126801645, -0.0700804988766528, -0.426776718517057, 0.9352490421596733, -1.050948707148124, 0.21690001616434817, -0.82921297633253], dtype=np.float64), np.array([1.5998172918380003, 1.3277230836786353, 0.8215319282355575], dtype=np.float64), np.float64(-0.39093373968741174), np.array([2, 1, 1], dtype=np.int64),),)
SEED = 3772294154
