# seed 3772292671, stages, CoreError: raises CoreError: after dce: the type of _gs_ret__6 (float64[length__1]) names length__1, which is not bound there
import numpy as np

def f(x, y, A, k, size):
    x[-2::-1] += 0.6 * np.abs(np.mean(x[:]))
    x[k % size] += np.cos(np.minimum(A.T[-2, k % y.shape[0]], y[-1]))
    if np.max(A, axis=(0, 1)) > 0.69:
        if A.T[-1, -2] <= 1.32:
            A[k % len(A)], A[-2] = (A[-2], A[k % len(A)])
            return A.mean(axis=-1)
        x *= np.tanh(np.maximum(A[k % len(A), -1], y[0]) * np.sin(A[0][k % len(x)]))
        y += np.sin(np.sin(x + y))
    else:
        B1 = np.tanh(A[::-1, 1:2] * x[None, :])
    z2 = A[-2:, :] / (2.0 + A[-2:, ::-1] * A[-2:, ::-1])
    return (1.0 + np.sin(x) * np.sin(x)) ** 0.7 + 0.2 * np.sum(A * A) + 0.5 * y


ARGS = (np.array([1.199794230920264, 0.016610606638095105], dtype=np.float64), np.array([0.2934726094479374, 0.7680441203157367], dtype=np.float64), np.array([0.7597893951793662, -1.3221033036534686, -0.47241083089635794, 1.4275115427516574], dtype=np.float64).reshape(2, 2), 2, 2,)
MORE = ((np.array([-1.3039437648637966], dtype=np.float64), np.array([0.47397324834707133], dtype=np.float64), np.array([1.1425636028246697], dtype=np.float64).reshape(1, 1), 0, 1,),)
SEED = 3772292671
