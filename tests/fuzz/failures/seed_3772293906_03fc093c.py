# seed 3772293906, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, u, g):
    n = x.shape[0]
    m = len(u)
    x[-1] = 0.6 * (0.89 - u[-2])
    x[-1] = g
    x = np.tanh((x - x) * np.ones((n, len(x))).sum(axis=-1))
    s1 = 0.0
    for i in range(m - 1):
        x[-2] = np.sin(np.sqrt(1.0 + np.tanh(s1) * np.tanh(s1)))
        s2 = 0
        for j in range(i + 1):
            k3 = 0
            while (s1 / (2.0 + 0.86 * 0.86) >= -0.98 and i == 2) and k3 < 2:
                k3 += 2
                if j < m - 1:
                    w4 = (np.exp(-x * x) if s1 / (2.0 + s2 * s2) >= 1.24 else np.tanh(x)) + (np.where(x[::-1] < 0.51, np.ones(n), np.ones(n)) - np.tanh(np.dot(x, x)))
                else:
                    u[j - 1] = g * (1.0 / (1.5 + -1.08 * -1.08))
            if g / (2.0 + u[-1 - i] * u[-1 - i]) > 1.0 / (1.5 + s2 * s2):
                break
            w5 = x[:]
            s2 += np.sin(np.eye(u.shape[0]).sum(axis=-2) @ u.copy())
        t6 = np.min(np.maximum(u[:].copy(), x[0]))
        s1 += 0.6 * (g * np.tanh(0.8 * s2))
    return (-x + 0.7 * s1 + 0.7 * g + 0.2 * np.sum(u * u) + 0.5 * x, g)


ARGS = (np.array([-1.3505745015209638, 0.6716365894621785], dtype=np.float64), np.array([-0.247187942166476, 1.1816249083189683], dtype=np.float64), np.float64(-0.37441671396453957),)
MORE = ((np.array([1.3859180664568256, 1.4616065092221109], dtype=np.float64), np.array([1.2981643865610022, -0.8812294017337785], dtype=np.float64), np.float64(-1.5246185379783936),),)
SEED = 3772293906
