# seed 4273, stages, AttributeError: raises AttributeError: 'str' object has no attribute 'name'
import numpy as np

def f(x, c):
    s1 = 1.0
    for i in range(x.shape[0] - 1, 0, -1):
        s1 -= np.sin(c - c)
        k2 = 0
        while (i != 1 and i != 1) and k2 < 5:
            k2 += 1
            if len(x) >= 3:
                s3 = 1.0
                for j in range(x.shape[0]):
                    x[i] -= np.sin(c * x[j] / (2.0 + x[k2 % len(x)] * x[k2 % len(x)]))
                    x[-1 - j] *= 0.2 * x[::-1] @ np.full(len(x), -0.23 / (2.0 + c * c), dtype=np.float64) ** 3
                    s3 = np.tanh((0.2 * (0.2 * x * (0.2 * x))).max())
                    s3 += np.mean(np.tanh(0.2 * x + 0.2 * x))
                x[:] = np.exp(np.tanh(np.mean(np.ones((x.shape[0], x.shape[0])), axis=-2)))
                if (0.2 * x).mean() < 0.87:
                    x[-2:] *= 0.2 * ((1.0 + 0.09 * x * (0.09 * x)) ** 0.7).dot(np.sin(0.1 * np.arange(x.shape[0]) + 0.2 * x))
                    s1 = s1 - np.tanh(s1 % 3.7)
                    v4 = x[::-1]
                elif 0.1 * (0.2 * x @ (0.2 * x)) >= -1.13:
                    w5 = 0.2 * x
            if -1.28 < 0.5 * (0.2 * x).sum() < 0.74:
                return (0.1 * np.matmul(0.2 * x, 0.2 * x), 0.3 * s1, 0.9 * np.log(2.0 + 0.3 * s1 * (0.3 * s1)))
        if 0 < i < 4:
            continue
    return (0.3 * s1 / (2.0 + 0.2 * x[1] * (0.2 * x[1])) + 0.5 * s1 + 0.4 * x.sum(), (0.3 * s1 if np.sin(0.3 * s1 * c) >= 0.28 else 0.3 * s1) + 0.5 * s1 + 0.2 * np.sum(x * x), np.zeros_like(x).sum() + 0.5 * s1 + 0.3 * np.sum(np.sin(x)))


ARGS = (np.array([-0.7393588571805261, -0.9480627407569475], dtype=np.float64), -0.45254008774340804,)
MORE = ((np.array([-0.4519207373412113, 1.0886357842639969], dtype=np.float64), -0.939260197816008,),)
SEED = 4273
