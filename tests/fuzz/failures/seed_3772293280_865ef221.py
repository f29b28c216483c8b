# seed 3772293280, stage optimised at other arguments: no exception, but the function raises IndexError: index 3 is out of bounds for axis 0 with size 3
import numpy as np

def f(x, u, g, k):
    n = x.shape[0]
    m = u.shape[0]
    t1 = -0.26 - g
    x[-2] = np.tanh(x[1] * g)
    z3 = np.cos(np.zeros((2, n), dtype=np.float32) * np.ones((2, 1), dtype=np.float32))
    s4 = z3[0].sum()
    for i in range(len(u) - 1, -1, -2):
        s4 += np.tanh(s4)
        if np.exp(np.tanh(g)) < abs(g) and -0.33 < x[3] / (2.0 + i * 0.15 * (i * 0.15)) < 1.23:
            c5 = np.sin(np.tanh(z3[:, 1:-1]))
        else:
            c5 = np.tanh(np.sin(np.full((2, u.shape[0]), t1, dtype=np.float32) @ np.full((m, n - 2), s4 / (2.0 + z3[-2][1] * z3[-2][1]), dtype=np.float32)) - 0.4 * (u @ np.full((m, n - 2), u[i] + t1, dtype=np.float32)))
        u[:i + 1] += u[:i + 1] / (2.0 + u[:i + 1] * u[:i + 1])
        w6 = np.where(np.zeros_like(u) > 1.14, u, np.zeros(m, dtype=np.float32))
    u += np.tanh(abs(x[k % len(x)]) + np.exp(np.tanh(s4)))
    return x


ARGS = (np.array([1.1887935400009155, 0.21951740980148315], dtype=np.float32), np.array([-1.0124390125274658, -0.48076382279396057], dtype=np.float32), np.float32(0.09788859635591507), 3,)
MORE = ((np.array([0.6566949486732483, -0.08579814434051514, -0.815650463104248], dtype=np.float32), np.array([0.17674008011817932, -1.1400976181030273, 0.794100284576416], dtype=np.float32), np.float32(-0.6116015911102295), 2,),)
SEED = 3772293280
