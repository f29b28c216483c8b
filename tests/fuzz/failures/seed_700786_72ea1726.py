# seed 700786, stage readable: value
import numpy as np

def f(x):
    s1 = 1.39
    for i in range(len(x)):
        if i:
            if s1 > x[i]:
                continue
            if i:
                break
        s1 += i + x[i]
    return s1


ARGS = (np.array([0.5, -0.3, 3.7, 0.1], dtype=np.float64),)
MORE = ()
SEED = 700786
