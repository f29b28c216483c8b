# seed 3772292482, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, u, y):
    n = len(x)
    m = len(u)
    t1 = np.tanh(0.74) * -0.52
    if y.shape[0] >= 1:
        v2 = x
        v2[-3] *= 0.1 * np.sum(np.full(n, np.tanh(y.sum()), dtype=np.float32))
    w3 = 0.7 * (0.8 * (x[[0, -1]].copy() + (y[:2] + y[-2:])) + np.where(x[:2] > 0.23, np.cos(x[[0, -1]]), x[-2:]))
    x[2] += np.tanh(y.mean() * np.cos(y[1]))
    s4 = np.mean(y[::-1])
    for i in range(1, len(w3)):
        s4 += 0.3 * (-0.42 * y[i % n] - (1.0 + s4 * s4) ** 0.7)
        p5 = -1 - np.arange(len(u))
    y[:-2] -= abs(y[-1]) / (2.0 + s4 * s4)
    x[:0:-1] = 0.5 * (x[:0:-1] + x[:-1].copy())
    return np.log(2.0 + x[0] * x[0]) + 0.5 * t1


ARGS = (np.array([0.5482312105190337, 1.3011506358458322, 0.997436168907468, -1.4759076862204876, -0.024000489526794677, -0.5766503172865374, -0.8477570792215112], dtype=np.float64), np.array([], dtype=np.float32), np.array([1.4259109497070312, 0.5372783541679382, -0.2734627425670624, 0.33344295620918274, 1.2626640796661377, -0.015474225394427776, -0.9542299509048462], dtype=np.float32),)
MORE = ((np.array([-0.004441452146555891], dtype=np.float64), np.array([], dtype=np.float32), np.array([-0.7490792870521545], dtype=np.float32),),)
SEED = 3772292482
