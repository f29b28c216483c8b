# seed 3772292443, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, y, c, g, k):
    n = x.shape[0]
    t1 = np.sin((1.0 + x[-2] * x[-2]) ** 0.7) ** 2 / (2.0 + x[-1] * x[-1])
    y[1:] = y[1:]
    x = np.sin(x - y)
    t1, g = (g, np.sin(t1) + np.tanh(np.abs(c)))
    return y + 0.7 * t1 + 0.7 * g + 0.5 * y + 0.5 * x


ARGS = (np.array([-0.7210458606102166, -0.2763979295431205], dtype=np.float64), np.array([-1.439488234954482, 0.5212877145511285], dtype=np.float64), -0.1440781354457905, np.float64(-0.7210147924694209), 3,)
MORE = ((np.array([-1.1025047282168428, -0.6643775806066601], dtype=np.float64), np.array([0.4169617006816315, 0.45323565573662883], dtype=np.float64), -1.3217927833925822, np.float64(-1.356190491431076), 2,),)
SEED = 3772292443
