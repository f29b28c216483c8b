# seed 3772292686, stages, CoreError: raises CoreError: after dce: the type of t__82 (float64[length, length__1]) names length, which is not bound there
import numpy as np

def f(x, A, y, g, k, flag):
    n = A.shape[0]
    if -0.2 < np.tanh(np.sum(A[:, ::-1])) < 0.53 or g < -0.65:
        if A.shape[1] >= 3:
            if A[-2][-3] * y[k % A.shape[0]] < 1.25 or -0.26 < -0.42 / (2.0 + g * g) < 0.22:
                return (np.maximum(A.T, A[::-1, ::-1]), g)
            t1 = np.tanh(np.abs(g) - g % 3.7)
    else:
        x *= np.sin(np.full(n, np.exp(np.tanh(x[k % x.shape[0]]))))
        x += 0.1 * (y[:, None] + y[None, :]).dot(y[:])
    x[k % y.shape[0]] = y[1] - np.sin(A.T[0, 1])
    return (1.0 / (1.5 + A * A) + 0.7 * g + 0.3 * np.sum(np.sin(y)) + 0.5 * A, np.sin(A.T.sum()) + 0.5 * g + 0.3 * np.sum(np.sin(y)) + 0.3 * np.sum(np.sin(A)) + 0.4 * x.sum())


ARGS = (np.array([-0.8691412783330315, -0.268321499699135], dtype=np.float64), np.array([-0.7045690227452778, 1.20871530742038, 1.5342260162332426, -1.3557501851116236], dtype=np.float64).reshape(2, 2), np.array([1.3179846605853136, 0.3846197261526012], dtype=np.float64), np.float64(-1.2868006861074506), 2, True,)
MORE = ((np.array([-1.1349705712084877, -0.17417763051748492], dtype=np.float64), np.array([-0.05795792531537214, 1.147159649936928, 0.7517012211136569, 0.7533847128140416], dtype=np.float64).reshape(2, 2), np.array([1.080807643627105, 0.31938172863501], dtype=np.float64), np.float64(-0.4629238621435676), 0, False,),)
SEED = 3772292686
