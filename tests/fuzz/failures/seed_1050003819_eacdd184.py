# stage specialised: value: a loop over an array whose variable gets another array in it
import numpy as np

def f(x):
    x = x * 0.9
    z1 = np.sin(np.concatenate((np.zeros(len(x)), x)))
    s2 = 0.0
    for e3 in z1:
        z1[2] = np.sin(0.8 * (x[::-1] @ x) - e3)
        z1 = 0.5 * (z1 + np.full((len(z1), len(x)), z1[-2] if np.dot(z1[:], z1) < (s2 if np.cos(s2) >= -0.51 else x[0]) else s2, dtype=np.float64).dot(x))
        for i, e5 in enumerate(z1):
            q7 = len(x) % 3
        t8 = z1[1]
        s2 += np.cos(t8 - z1[-3])
    z1[-1] *= np.sin(0.6 * (x[-2] * (0.8 * s2)))
    return np.sin(0.8 * s2) + 0.5 * s2 + 0.2 * np.sum(z1 * z1) + 0.3 * np.sum(np.sin(x))


ARGS = (np.array([0.7939912093006378, -1.556247824394978], dtype=np.float64),)
MORE = ((np.array([-1.5028812682967332, -1.4557798277157064], dtype=np.float64),),)
SEED = 1050003819
