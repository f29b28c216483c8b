# seed 3772292416, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, A):
    n = len(A)
    if A[1, 1] + A[1][0] < -0.29:
        for i in range(n - 1, -1, -1):
            v1 = x
            v1 += 0.1 * np.sum(v1[::-1] % 3.7)
            for e2, e3b in zip(v1, v1):
                e2 = e2 + 0.08 * (v1[1] * v1[i])
                k4 = 0
                while k4 < 6:
                    k4 += 1
                    A += 0.6 * A.T
                    e3b = v1.max()
                v5 = A[:, i]
        if x.mean() < -0.32:
            A[1][0] = A[-1][-1]
            A[1], A[1] = (A[1].copy(), A[1].copy())
            z6 = np.sin(0.2 * (0.2 * A[:, 1:2] * (0.2 * A[::-1, 1:2])) - 0.2 * A[::-1, :2].copy())
        else:
            w7 = np.tanh(0.6 * (x - x))
    elif 0.6 * (x[-1] - x[1]) < np.tanh(x[1] - -0.79):
        t8 = np.sin(-(0.2 * A[-1, -1]) + x[-2])
    return 0.3 * (0.2 * A[1][0] * x[1]) + 0.2 * np.sum(A * A)


ARGS = (np.array([-1.4925644188740705, 1.1160062286629784], dtype=np.float64), np.array([-1.4002566247870103, -0.8440046071162155, 0.3492489716928291, 0.8456976722991962], dtype=np.float64).reshape(2, 2),)
MORE = ((np.array([0.5504192334843356, 0.07572692155505267], dtype=np.float64), np.array([0.7918894533939311, 1.0358120530325232, -1.2946170376195063, -0.8217785582395248], dtype=np.float64).reshape(2, 2),),)
SEED = 3772292416
