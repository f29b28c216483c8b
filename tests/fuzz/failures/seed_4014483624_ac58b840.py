# seed 4014483624, the value, and grad, CoreError: raises CoreError: after vjp: the type of x3_bar (float64[length, 0]) names length, which is not bound there
import numpy as np

def f(x, A, u, c, k, idx):
    n = len(x)
    m = u.shape[0]
    r1 = np.reshape(A, -1)
    r1[2:] += np.tanh(np.maximum(c * r1[:-2], r1[2:]))
    v2 = A
    v2[::2, 1:] = c
    s3 = np.sum(A[::-1, :])
    for i in range(r1.shape[0] - 1, 0, -1):
        s3 -= s3
        t4 = r1[i]
        if np.sqrt(1.0 + -0.82 * -0.82) >= 1.19:
            continue
    return s3


ARGS = (np.array([], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 0), np.array([], dtype=np.float64), 1.559687892072748, 2, np.array([], dtype=np.int64),)
MORE = ((np.array([], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 0), np.array([], dtype=np.float64), -0.37409132097642894, 2, np.array([], dtype=np.int64),),)
SEED = 4014483624
