# seed 3772292441, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(M, w):
    k1 = 0
    while np.sqrt(1.0 + 0.21 * 0.21) <= 0.28 and k1 < 4:
        k1 += 1
        t2 = 0.1 * w.shape[0] / (2.0 + w[-1] * w[-1])
    return np.sqrt(1.0 + -1.05 * -1.05) + 0.4 * w.sum() + 0.3 * np.sum(np.sin(M))

def f(y, A):
    n = y.shape[0]
    m = A.shape[0]
    t1 = np.tanh(A.T[-2].dot(A[:, 1]))
    s2 = abs(t1)
    for i in range(1, n):
        s2 += 0.3 * h0(A[2:], y)
        b3 = np.log(2.0 + y[n - 1 - i] * y[n - 1 - i]) >= -0.48
        s2 -= 0.3 * (A[-2, :] + y[::-1]).max()
    return A[0] + 0.7 * t1 + 0.5 * y


ARGS = (np.array([1.1618089656730177, 1.291295155336782], dtype=np.float64), np.array([1.1106747232185978, 0.7170223966394191, -1.0767173890224786, 0.374379995812562], dtype=np.float64).reshape(2, 2),)
MORE = ((np.array([-0.9972978338727583, 0.7998377157412437, 0.02274897246145957], dtype=np.float64), np.array([1.3351965588544097, 1.1033864167732355, -0.8348305928228843, -0.12208603253580419, -0.4774161603773319, -0.1286224080194014, 0.025416821633851283, -1.4259229338503148, 0.37011676295942086], dtype=np.float64).reshape(3, 3),),)
SEED = 3772292441
