# seed 2723446540, jit: [0] value: expected np.float64(0.6715770747863608) (float64), got np.float64(0.9185774521003729) (float64)
import numpy as np

class Trouble(RuntimeError):
    pass

def h0(c, d):
    e1 = np.sin((1.0 + np.tanh(np.exp(np.tanh(d))) * np.tanh(np.exp(np.tanh(d)))) * np.array([0.3, np.sin(np.log(2.0 + d * d)), -0.7]) + 0.4 * np.sin(np.log(2.0 + d * d)))
    b2 = np.max(e1)
    d += np.sum(np.where(e1 != b2, e1, 0.1))
    return np.minimum(np.tanh(d), c) + 0.5 * d

def f(x, c):
    n = x.shape[0]
    a1, b2 = (x / (2.0 + x[0] * x[0]), np.sqrt(1.0 + 0.72 * 0.72))
    w3 = x.copy()
    a1[-3] = 0.6 * b2
    for i in range(len(w3) - 1):
        a1 += 0.6 * w3
        try:
            b4 = np.sqrt(1.0 + b2 * b2) < -0.61
            try:
                v5 = a1[:]
                b2 += 0.5 * (0.1 * v5[i], np.tanh(v5[n - 1 - i]))[i - 1]
                t6 = h0(c=1.0 / (1.5 + c * c), d=x[n - 1 - i])
            except (IndexError, KeyError) as problem:
                b2 = b2 * 0.5 if len(problem.args) > 0 else b2 * 0.7
                w7 = np.tanh(a1) - np.where(x[:] > -0.27, w3, x)
            if np.sin(np.sum(w3[::-1])) <= 0.4 or -1.05 < w3[-1] < 0.57:
                raise Trouble('low')
            t8 = 1.12 % 3.7 / (2.0 + np.sin(a1[2]) * np.sin(a1[2]))
            break
        except RuntimeError:
            pass
        else:
            t9 = w3[i] / (2.0 + b2 * b2)
    return (np.log(2.0 + w3[-1] * w3[-1]) + 0.5 * b2 + 0.3 * np.sum(np.sin(a1)) + 0.3 * np.sum(np.sin(x)), b2)


ARGS = (np.array([-1.030364818138318, 0.9285683993965033, -1.132343297709473, 1.207701497783074, -1.2424236468408638, -0.45364940032864354, 0.27822116699860544], dtype=np.float64), 0.6020002989945534,)
MORE = ((np.array([-0.4225574234397229, -0.3449782042811631, -0.9111189781783076, 0.4064447879704036, -1.2587579890129021, -1.4720731436548709, -0.13839085105506754, 0.10425130615299594], dtype=np.float64), 0.23207917701904957,),)
SEED = 2723446540
