# seed 3772292431, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(y, A, c, k):
    n = y.shape[0]
    m = len(A)
    B1 = 0.6 * ((A.T[-1] + A[::-1, 0])[:, None] + (y[::2] - A[1:2, ::-2]))
    y[k % len(y)] = 0.2 * np.sum(A - A)
    c = y[k % len(y)]
    return 0.7 * (np.full((m, 1), np.max(B1), dtype=np.float64) + y) + 0.2 * np.sum(B1 * B1) + 0.5 * A + 0.2 * np.sum(y * y)


ARGS = (np.array([0.4275969981871639], dtype=np.float64), np.array([-1.1074849164324654, -0.617480524902873], dtype=np.float64).reshape(2, 1), 0.9445113446024007, 3,)
MORE = ((np.array([0.36476634984517275, -0.849940272296421], dtype=np.float64), np.array([-0.47418538085470985, 1.1154972739093219, -0.7955232449073197, 1.1016442168305525, -0.8069276841955777, 0.4038400170955825], dtype=np.float64).reshape(3, 2), 1.4495670158871086, 0,),)
SEED = 3772292431
