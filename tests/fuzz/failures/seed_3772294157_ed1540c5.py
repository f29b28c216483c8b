# seed 3772294157, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, A):
    n = x.shape[0]
    A = np.minimum(A, 0.91)
    v1 = x[:]
    v1[:2] += np.tanh(v1[[0, -1]] ** 2 + A[-2:, -1])
    x[-2::-1] = A[:-1, 1]
    return np.sin(A) + 0.2 * np.sum(v1 * v1) + 0.4 * x.sum()


ARGS = (np.array([-0.4406023822102392, 0.9267218605191903], dtype=np.float64), np.array([-0.23518194232490752, -0.6096709570524723, 0.5140843094307792, 1.3217039925508316], dtype=np.float64).reshape(2, 2),)
MORE = ((np.array([-1.09364499428307, -0.07342124538344952], dtype=np.float64), np.array([0.16038380675901953, 1.4484685265423214, 0.7674422080286294, 1.2316418181297908], dtype=np.float64).reshape(2, 2),),)
SEED = 3772294157
