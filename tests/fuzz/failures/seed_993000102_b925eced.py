# compiled: memory was let go of twice where variables of several blocks were values
import numpy as np

def f(x, g, k, size):
    x -= np.tanh(0.27 - g)
    x[1] = abs(g) / (2.0 + x[k % x.shape[0]] * x[k % x.shape[0]])
    if k == 2:
        v1 = x
        a2, b3 = (np.sin(v1 * v1), np.sin(np.sum(x)))
    elif (1.0 + g * g) ** 0.7 < np.log(2.0 + g * g) or g < x.max():
        x[-1], x[-2] = (x[-2], x[-1])
    elif x.shape[0] > 1 - 1:
        g += 0.3 * (np.tanh(x[-2] + x[k % size]) % 3.7)
        s4 = 0.0
        l5, r6 = (0, size - 1)
        while l5 < r6:
            v7 = x
            w8 = np.tanh(np.where(x[:] < 0.43, x, 0.51))
            s4 -= 0.4 * (g / (2.0 + w8[r6] * w8[r6]) + np.sin(x.dot(w8)))
            l5 += 1
    return 0.6 * (x[-1] * g) + 0.2 * np.sum(x * x)


ARGS = (np.array([-0.7288960358646321, 1.5592833043735541], dtype=np.float64), np.float64(0.09743842547444248), 2, 2,)
MORE = ((np.array([0.20876219150927477, -0.053490772383704144, 1.1491972318447075], dtype=np.float64), np.float64(1.2236047404205581), 0, 3,),)
SEED = 993000102
