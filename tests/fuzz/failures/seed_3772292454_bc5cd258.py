# seed 3772292454, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v, u, c=0.45):
    v[1:-1] *= 0.03 * np.outer(v, u[:-2]).sum(axis=0)
    return v ** 2 + 0.5 * v

def f(x, y, c, size):
    s1 = 0.0
    for i in range(y.shape[0] - 1):
        s1 += np.sin(x[::-1] @ x[:] - s1 ** 2)
        s1 = x.max()
        if y.shape[0] > 2 - 1:
            k2 = 0
            while k2 < 4:
                k2 += 2
                w3 = x + s1
                s4 = 0
                for j in range(size - 1, 0, -1):
                    s4 = s4 - np.sin(y[j] + y[k2 % y.shape[0]] - s1 / (2.0 + c * c))
                    y[j:] = x[j:]
                    w3[i] += 0.8 * (np.sqrt(1.0 + x[i + 1] * x[i + 1]) / (2.0 + s1 * s1))
                    w5 = h0(y, y, c=np.sin(s4) - np.tanh(w3[i]))
                if (0.1 * np.arange(size)).max() < np.log(2.0 + np.sin(y[i - 1]) * np.sin(y[i - 1])):
                    continue
                w6 = np.where(np.tanh(y) > 0.88, np.full((y.shape[0], size), np.tanh(s4) / (2.0 + s1 * s1)).sum(axis=-2), x)
    return (s1 - -0.35 + 0.5 * s1 + 0.4 * x.sum(), x + 0.7 * s1 + 0.5 * y)


ARGS = (np.array([], dtype=np.float64), np.array([], dtype=np.float64), -1.0078803927774453, 0,)
MORE = ((np.array([], dtype=np.float64), np.array([], dtype=np.float64), 0.6647793376797417, 0,),)
SEED = 3772292454
