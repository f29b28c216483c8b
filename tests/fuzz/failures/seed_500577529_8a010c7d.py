# seed 500577529, vjp, dot product: the program is chaotic
import numpy as np

def f(x, flag):
    n = len(x)
    for i in range(0, n, 2):
        s1 = 0
        for j in range(i + 1):
            if n > 2 - 1:
                for k in range(i, -1, -1):
                    a3, b4 = (np.cos(s1), s1)
                    x[::-2] = x[::2]
                for k in range(n - 1):
                    x[::-1] += np.sin(x)
                    z5 = np.concatenate((0.07 * x, 0.07 * x[::-1])) / (2.0 + s1 * s1)
            w6 = np.where(0.07 * x < 0.97, 0.07 * x[:], s1)
            if -1.31 < s1 < 0.34:
                continue
            w7 = 0.07 * x[i + 1:]
            s1 += 0.5 * (w6[:] / (2.0 + w6 * w6)).max()
    return 0.07 * x[0] + 0.2 * np.sum(x * x)


ARGS = (np.array([0.3646676170950429, 1.4409604783882672, 1.1071884173363737, -0.533307891115762, 1.000820338563357, -1.10753371433031, 1.054073043382815], dtype=np.float64), False,)
MORE = ((np.array([1.4993484037192566], dtype=np.float64), True,),)
SEED = 500577529
