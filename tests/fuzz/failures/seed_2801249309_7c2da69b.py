# seed 2801249309, jvp, Unaligned: raises Unaligned: (1, 0)
import numpy as np

def f(x, u, flag, pole):
    n = x.shape[0]
    extra = -1 if pole[-1] > 0.9 else 2
    d1 = x[:, None] - x
    r2 = np.hypot(d1, d1)
    t3 = np.tanh(0.1 * np.sum(r2[np.triu_indices(len(r2), 1)]))
    f4 = np.expm1(pole + pole * pole * pole) / (pole + pole * pole * pole)
    w5 = np.tanh(np.nan_to_num(np.where(pole + pole * pole * pole > 0, f4, np.nan), nan=1.0))
    v6 = pole + pole * pole * pole - 0.04
    w7 = np.tanh(np.arccosh(1.0 + np.maximum(v6, 0.0)))
    if -0.21 < u[-2] < 0.44:
        w5[:-1] /= 1.3 + np.zeros(n - 1, dtype=np.float64) * np.zeros(n - 1, dtype=np.float64)
    s8 = w7.min()
    for i in range(len(u) - 1):
        z9 = np.concatenate((u, np.zeros_like(w5))) + np.concatenate((u, w5))
        w10 = np.sin(np.exp(-z9 * z9))
        s8 = s8 + 0.02 * np.dot(0.3 * (w10 @ np.ones((len(z9), z9.shape[0]))), np.exp(-w10 * w10))
    x += 0.2 * -(0.2 * np.matmul(np.full(n, np.log(2.0 + u[2] * u[2])), x))
    return (np.max(np.ones((len(u), u.shape[0])), axis=0) + 0.7 * s8 + 0.2 * np.sum(w7 * w7) + 0.2 * np.sum(w5 * w5) + 0.7 * t3, extra)


ARGS = (np.array([0.8611341473589471, 0.9335769449841207, 0.5125120391215385, -0.7765750470065577, -1.1679432632059776, 0.6011555261841264, 0.4247069732286062], dtype=np.float64), np.array([-1.134120834650365, 0.13713258764003955, 1.2008701100617056, 1.4519629869814246, -1.3068755735250293, 0.9763323195995897, -1.0607273580966083], dtype=np.float64), True, np.array([-1.0, -1.0, -1.0, 0.4122018695088536, 1.0167684308870393, 0.7935951948570409, 0.31413764538582856], dtype=np.float64),)
MORE = ((np.array([1.5787750053936174, 0.21654529032178438, 0.7547894781129076, 0.34223500982241073, -0.9364044364225017], dtype=np.float64), np.array([-1.0699244998887938, 0.11589200780448117, -0.8191585249447514, -0.7662028902595073, -1.3748109015958865], dtype=np.float64), False, np.array([1.5026037791638938, 1.2468939130266357, -0.0, 0.6786086900014187, 1.315081838459995], dtype=np.float64),),)
SEED = 2801249309
