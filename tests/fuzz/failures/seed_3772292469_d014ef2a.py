# seed 3772292469, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, c, k, idx):
    n = len(x)
    w1 = x[:]
    t2 = w1[k % len(w1)]
    k3 = 0
    while c + t2 < 1.35 and k3 < 4:
        k3 += 2
        w1[-3], w1[2] = (w1[2], w1[-3])
        z4 = -np.outer(x[-2:], x)
        w5 = np.where(z4[0] < x, w1, w1) - np.minimum(np.zeros_like(x), x)
    return (np.mean(x) + 0.3 * np.sum(np.sin(x)), np.full(len(idx), -1.29 * x[k % w1.shape[0]], dtype=np.float64) * np.zeros(len(w1)) + 0.7 * t2 + 0.5 * w1 + 0.5 * x, np.matmul(np.zeros((idx.shape[0], n)), np.ones(x.shape[0])) + 0.7 * t2 + 0.5 * w1 + 0.5 * x)


ARGS = (np.array([-0.38589724005059156, 0.4024120727520386, 1.179479968412601, -1.4509915810507885, -0.09761039537947802, -1.5290294733129253, 0.6468835077275683], dtype=np.float64), 0.7053719051336329, 4, np.array([3, 3, 3, 4, 0, 5, 6], dtype=np.int64),)
MORE = ((np.array([-0.7848539585196698], dtype=np.float64), -0.6836690390905539, 4, np.array([0], dtype=np.int64),),)
SEED = 3772292469
