# seed 3772292489, stages, CoreError: raises CoreError: after dce: the type of t__160 (float64[length__2]) names length__2, which is not bound there
import numpy as np

def f(x, idx):
    n = len(x)
    x[idx] = -0.11
    if x.shape[0] >= 1:
        z3 = 0.7 * ((x[:2][:, None] + x) * ((0.1 * np.arange(2))[:, None] + x[idx]))
        s4 = 0
        for c5 in (-0.61, 1.34, 0.27):
            z3[-2::-1, 2:] = 0.2 * (z3[-2::-1, :-2] * z3[:-1, 1:-1])
            z3[:2, -2:] += np.sin(np.sqrt(1.0 + (c5 - c5) * (c5 - c5)))
            if np.sin(s4) < 0.55 or np.tanh(0.98) >= -0.6:
                break
            z3.T[-3] = np.sin(x[:2] - np.sin(z3.T[-2]))
            s4 = s4 - np.ones((z3.shape[0], n)).mean()
    if -0.87 < np.log(2.0 + x[-1] * x[-1]) < 1.22:
        return (np.where(x > -0.9, x[::-1], x), x[-2], np.mean(np.ones((n, n)), axis=-1))
    s6 = 0.0
    for i, e7 in enumerate(x):
        x -= 0.02 * (np.outer(x, x[idx]) @ (x[idx] % 3.7))
        x[i + 1:] = 0.5 * x[i + 1:] - 0.5 * x[i + 1:].copy()
        s6 += np.mean(np.sin(0.5 * x))
    return (np.sin(np.full(len(idx), np.log(2.0 + np.sin(s6) * np.sin(s6)))) + 0.7 * s6 + 0.5 * x, 0.5 * x[1] + 0.5 * s6, np.cos(0.5 * x) + 0.7 * s6 + 0.5 * x)


ARGS = (np.array([-1.0430517545898215, -0.2458187472572244, 1.3351245163291412, -1.424123612987906, -1.5695426754175639, -0.7743456393288682, 0.06877175066460706], dtype=np.float64), np.array([4, 0, -1, -5, 1, 0, 3], dtype=np.int64),)
MORE = ((np.array([0.4540583494345958], dtype=np.float64), np.array([0], dtype=np.int64),),)
SEED = 3772292489
