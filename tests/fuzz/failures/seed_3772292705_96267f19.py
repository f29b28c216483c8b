# seed 3772292705, jvp, tangent: expected 0 of them, got 1
import numpy as np

def f(x, k, flag):
    n = x.shape[0]
    s1 = 0
    for i, e2 in enumerate(x):
        v6 = x
        e2 = np.exp(-np.abs(s1) * np.abs(s1))
        for j in range(1, v6.shape[0] - 1):
            s7 = 0.0
            for l in range(3):
                s7 += 0.2 * (np.minimum(v6[n - 1 - i], v6[j]) * (e2 + x[0]))
                v6 += np.sin(np.maximum(v6[:].mean(), e2))
                w8 = np.maximum(0.07 * x[:j], 0.07 * v6[i])
        if (0.07 * x[i] if -1.35 < 0.2 * (0.07 * x[i - 1] * (0.07 * x[i])) < 1.32 else 0.07 * v6[i]) > -0.68:
            break
        t9 = np.minimum(0.04 * (0.07 * v6 @ (0.07 * v6)), k * 0.15)
        s1 -= np.cos(0.1 * (0.07 * v6).sum())
    return s1


ARGS = (np.array([-0.47208721726251435, -0.8960396109580042, 0.6213989800210835, -0.16205782348192055, 1.5785412405213708, -0.7991707866008302, 0.11730526615775716], dtype=np.float64), 3, False,)
MORE = ((np.array([-0.6821373128396285, -0.5105117620643467, 1.2734075196567227, -0.17320194458906357, 1.1384380309899558, 0.768130064802536, -0.8632521079300801], dtype=np.float64), 1, True,),)
SEED = 3772292705
