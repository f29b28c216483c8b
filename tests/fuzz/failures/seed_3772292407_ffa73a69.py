# seed 3772292407, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v, u, c=0.45):
    v[:-2] = u[:-2]
    t1 = u.mean()

def f(x, y, flag):
    n = len(x)
    w1 = x[::-1]
    z2 = np.sin(np.full(n + n, 0.6 * np.ones(len(y), dtype=np.float32).sum(), dtype=np.float32)) - np.sin(np.ones(n + n, dtype=np.float32))
    z3 = np.stack((z2, z2), axis=1) % 3.7
    s4 = 0.07 * np.matmul(z2, z2)
    for i in range(n + n - 1):
        y = np.tanh(np.exp(np.tanh(np.where(w1 < x, y, x))))
        h0(z3[i], z2[:2], c=np.sin(z3[i, 1]) ** 2)
        z2[i - 1] = np.sum(x / (2.0 + x * x))
        s4 += 0.6 * np.mean(x.copy())
    s4 += np.tanh(w1[1])
    b5 = 0.2 * s4 >= -0.55 and -1.33 < np.tanh(z3[-3, 1]) + x[1] < 1.17
    z6 = np.sin(0.5 * (0.5 * z3.T - 0.5 * z3.T))
    return (0.2 * s4 if not b5 else 0.2 * s4) + 0.4 * z6.sum() + 0.5 * s4 + 0.4 * z3.sum() + 0.4 * z2.sum()


ARGS = (np.array([-1.1804722547531128, 0.8568074703216553, 1.0063161849975586, -1.0049993991851807, 0.1785832941532135, 0.49423888325691223, 0.5460658073425293], dtype=np.float32), np.array([0.7332063317298889, 0.9710001945495605, -0.8642876744270325, -1.4258546829223633, 0.5355391502380371, -0.061577338725328445, -0.2745963931083679], dtype=np.float32), True,)
MORE = ((np.array([0.37236592173576355, -1.2467774152755737, -0.6045541763305664, -0.8994818925857544, 1.2138890027999878], dtype=np.float32), np.array([-1.0514676570892334, 0.165119007229805, -1.030766487121582, -0.2495884746313095, -0.3258892893791199], dtype=np.float32), True,),)
SEED = 3772292407
