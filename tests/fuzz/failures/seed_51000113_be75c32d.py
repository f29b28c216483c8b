# seed 51000113, stages, KeyError: raises KeyError: '<='
import numpy as np

def f(x, c, pole, gap):
    n = len(x)
    d1 = x[:, None] - x
    r2 = np.abs(d1 + 0.5j * d1)
    t3 = np.tanh(0.1 * np.sum(np.sin(r2[r2 > 0])))
    if -0.48 < (t3 if x[0] > (t3 if not (-0.96 < np.cos(c) < 1.18 and np.sin(x[0]) > -0.55) else x[-2]) else x[0]) < 0.87:
        w4 = np.tanh(np.select([pole > 0], [np.log(pole)], 0.3))
        u5 = pole * np.exp(np.tanh(-0.94))
        t6 = np.tanh(np.nansum(np.where(u5 > 0, np.sqrt(u5 * u5 + u5), np.nan)))
        w4 = -w4
    w7 = x + x
    if np.tanh(t3) > 0.76:
        t8 = -0.14
    t3 += np.sin(np.sin(t3 + w7[-1]))
    return x[0] ** 2 + 0.3 * np.sum(np.sin(w7)) + 0.5 * t3 + 0.2 * np.sum(x * x)


ARGS = (np.array([1.2685216646705824, -1.190598560395332, -0.48745677673315235, 0.9480596059448767, -1.269884538885932, 1.3539519922119956, -1.3091435146162347], dtype=np.float64), 0.4882944824762605, np.array([1.2722571298862024, 0.9199190963966493, 1.2392196326390907, -0.3, 1.0402876001210184, -0.0, 1.2892795868160487], dtype=np.float64), np.array([nan, nan, 0.8450383941898657, 1.4826745915281543, nan, 0.6411849536240003, 0.4359282864336983], dtype=np.float64),)
MORE = ((np.array([0.49921225385728585, 1.0757235836466963, -0.7706380905537316, -0.06313995171186693, -0.3191703521587965], dtype=np.float64), 0.8082565476102341, np.array([0.7071595399974043, 1.2063348044782467, 1.1868648781786988, 1.4723391782531374, 0.9886587546652967], dtype=np.float64), np.array([nan, -0.7601680906607239, nan, nan, 0.5453396188776515], dtype=np.float64),),)
SEED = 51000113
