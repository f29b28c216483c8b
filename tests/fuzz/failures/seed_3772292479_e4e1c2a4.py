# seed 3772292479, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, g, k):
    n = len(x)
    if np.mean(x) < 0.2 * x[:].dot(x[::-1]) and x[-3] < x.min():
        for i, e1 in enumerate(x):
            a3, b4 = (g * g, np.mean(x))
            v5 = x[::-1]
            v5 /= 1.3 + 0.6 * g * (0.6 * g)
    if np.tanh(np.sum(x)) > np.exp(np.tanh(g)) and -0.54 < x[-1] < 1.0:
        x[k % n], x[-2] = (x[-2], x[k % n])
        x += 0.6 * x.copy()
    elif np.min(x[:]) > g + k * 0.15:
        x += np.tanh(g)
    else:
        w6 = -x.copy()
    return (np.sin(x[2]) + 0.5 * g + 0.3 * np.sum(np.sin(x)), x + 0.7 * g + 0.5 * x, g + 0.5 * g + 0.2 * np.sum(x * x))


ARGS = (np.array([-0.657375693321228, -1.0889393091201782, 1.1738837957382202, 0.0279465913772583, 1.067514181137085, -0.74383544921875, -0.5118989944458008], dtype=np.float32), np.float32(-0.06805707514286041), 1,)
MORE = ((np.array([-0.8976584076881409, 1.170395851135254, 0.32996922731399536, 1.3672326803207397], dtype=np.float32), np.float32(0.5885645747184753), 4,),)
SEED = 3772292479
