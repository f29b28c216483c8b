# seed 4014483924, the value, and grad, CoreError: raises CoreError: after vjp: the type of t_bar__22 (float64[length, length__1]) names length, which is not bound there
import numpy as np

def f(A, c):
    A[-2::-1, :0:-1] += np.sin(A[2, -2::-1])
    e1 = np.sin((1.0 + np.cos(0.1 * A.shape[1]) * np.cos(0.1 * A.shape[1])) * np.array([0.3, np.exp(-c * c), -0.7]) + 0.4 * np.exp(-c * c))
    b2 = np.max(e1)
    c += np.sum(np.where(e1 != b2, e1, 0.1))
    c = c + 0.2 * (1.24 - 0.2 * np.sum(A))
    t3 = np.sin(A[-3].dot(A[2])) % 3.7
    return (A, -t3 + 0.5 * t3 + 0.5 * c)


ARGS = (np.array([], dtype=np.float64).reshape(7, 0), 0.3580656037049188,)
MORE = ((np.array([], dtype=np.float64).reshape(7, 0), -1.0679703927573385,),)
SEED = 4014483924
