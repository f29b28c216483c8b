# found where a loop is left
import numpy as np

def f(x, y, c):
    n = len(x)
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] if np.mean(x) > -0.86 else y[0]) / (2.0 + y[i] * y[i])
        if -0.48 < (y[-1 - i] if y[-1 - i] - c < 0.6 and x[i] - c >= 1.38 else y[i]) < 1.12 and -0.23 < y[i] + y[i] < 0.97:
            c1 = (y / (2.0 + 0.1 * np.arange(n) * (0.1 * np.arange(n)))).max()
        else:
            c1 = np.max(y) / (2.0 + c * c)
    return y + 0.5 * y


ARGS = (np.array([0.2940904897586347, -0.7161210976428323], dtype=np.float64), np.array([1.1879410686485086, 0.4714295523350365], dtype=np.float64), 0.15802285127710824,)
MORE = ((np.array([1.1941201777318677, 0.3373166724568577, 0.7943496006816533], dtype=np.float64), np.array([1.4278265001198789, -1.0997782763415433, 0.06336458139876511], dtype=np.float64), 1.1520827216338438,),)
SEED = 820178355
