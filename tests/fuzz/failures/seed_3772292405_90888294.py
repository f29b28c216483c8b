# seed 3772292405, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v, c=0.45):
    v += np.sin(c + 0.17)
    return v[1:] / (2.0 + v[:-1] * v[:-1]) + 0.4 * v.sum()

def f(x, u, A, c):
    n = x.shape[0]
    m = u.shape[0]
    a1, b2 = (x[2], -1.19 / (2.0 + c * c))
    A = A[::-1, :] * 0.9
    w3 = h0(u[:-1])
    r4 = A.reshape(len(u), len(x))
    a1 = np.cos(np.sin(w3)).sum()
    k5 = 0
    while True:
        k5 += 1
        a1 = 0.6 * (c / (2.0 + c * c) - (np.sin(u[-1]) + a1))
        if k5 > 4 or np.sin(np.sin(u[-1])) >= -0.59:
            break
    v6 = A[:, -1]
    x[-3] = 0.3 * u[-1]
    return (np.outer(x[::-1], r4.T[-2]) + 0.3 * np.sum(np.sin(v6)) + 0.2 * np.sum(w3 * w3) + 0.7 * a1 + 0.5 * A, np.log(2.0 + np.sin(u) * np.sin(u)) + 0.3 * np.sum(np.sin(v6)) + 0.2 * np.sum(r4 * r4) + 0.3 * np.sum(np.sin(w3)) + 0.3 * np.sum(np.sin(A)), (0.7 * u).sum() + 0.2 * np.sum(r4 * r4) + 0.4 * w3.sum() + 0.5 * a1)


ARGS = (np.array([0.5877200811030296, -0.17867058186516438, 1.5554383592065477, 0.7743743778049246, 0.6848800901158536, -0.07889304837497058, 0.23816295853910008], dtype=np.float64), np.array([0.7074062382903756], dtype=np.float64), np.array([-1.5764602907687981, 0.7785896016858258, -1.199799106773284, 0.4787575061759144, -0.41533926329084103, 0.17523179976823866, 1.2902861193297088], dtype=np.float64).reshape(7, 1), 0.667250024888312,)
MORE = ((np.array([-0.5996300735086799, -0.576020567212709, 0.9753645229188979, 1.3706675929878052, -1.0662647316408602, 0.4136252577891808, -0.8564753377038503], dtype=np.float64), np.array([-1.470906038077563], dtype=np.float64), np.array([-0.2470754905941568, -1.04490882832672, 1.4785466980795632, 1.4479066509964134, 1.4527400320569495, -0.3045781464461652, -0.09314642893784364], dtype=np.float64).reshape(7, 1), 0.21931183087403272,),)
SEED = 3772292405
