# seed 3772293408, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(u, A, k):
    n = A.shape[1]
    u[1] = u[-2] / (2.0 + u[k % len(u)] * u[k % len(u)])
    t1 = u[::-1].min() * A[-1][k % len(A)]
    w2 = u[[0, -1]] / (2.0 + t1 * t1)
    A += np.tanh(np.reshape(np.ones((1, len(A))), (A.shape[1], 1)) + np.sin(np.zeros((1, A.shape[1]), dtype=np.float64)))
    w2 = u[-2:] / (2.0 + w2[-2:] * w2[-2:]) * 0.9
    return (A[:, :] + 0.3 * np.sum(np.sin(w2)) + 0.7 * t1 + 0.4 * u.sum(), u + 0.2 * np.sum(w2 * w2) + 0.4 * A.sum() + 0.5 * u)


ARGS = (np.array([1.220691594525182, -1.4260883754627427], dtype=np.float64), np.array([-1.3513525443984833], dtype=np.float64).reshape(1, 1), 4,)
MORE = ((np.array([-1.598086835923856, -0.5727293630379955], dtype=np.float64), np.array([1.0872772543847695], dtype=np.float64).reshape(1, 1), 2,),)
SEED = 3772293408
