# seed 3772293654, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(A, c):
    m, n = A.shape
    for e1 in A:
        e1 += 0.6 * e1
        if not (np.sum(np.tanh(A[1])) > np.sum(0.5 * e1) and 0.2 * (0.5 * e1).dot(0.5 * e1[::-1]) > 0.95):
            break
    if np.sqrt(1.0 + c * c) < np.exp(np.tanh(c)):
        v3 = A.T
        v3[:, 0] = np.where(np.sin(v3.T[-2]) < 0.76, np.sin(v3.T[0]), 0.5 * A[0]) * np.sin(A[0, ::-1])
    for i in range(len(A)):
        A[m - 1 - i] = A[i - 1]
        if 0.1 * np.sum(0.5 * A) < -0.82:
            continue
    v4 = A.T
    a5, b6 = (c - c, 0.1 * np.sum(0.5 * A.T, axis=(0, 1)))
    return (np.sin(A) + 0.7 * b6 + 0.2 * np.sum(v4 * v4) + 0.5 * A, np.cos(a5) + 0.5 * b6 + 0.3 * np.sum(np.sin(v4)), -np.tanh(v4.T) + 0.7 * b6 + 0.3 * np.sum(np.sin(v4)) + 0.5 * A)


ARGS = (np.array([], dtype=np.float64).reshape(7, 0), 0.8973237490699773,)
MORE = ((np.array([1.5008224051108212, -0.17674486786957755, -0.8420171221734436, 0.06343340946622122, 0.9168071851272175, 1.1796930711805778, -1.3809836790884487, -0.3928690265361421, -0.16847965172364288, -0.545932026939548, -0.6331454869124798, 1.542656454498328, 0.3298944097609837, 1.376154363043161, -0.718331878268738, 0.140377616267628, 1.4375297927755866, -0.14103675064737753, -1.442767453463548, -0.4930464181694969, -1.309375277376244, 0.38231056959280996, -1.2631453552397371, 0.19358000899207473], dtype=np.float64).reshape(8, 3), 0.786779600451383,),)
SEED = 3772293654
