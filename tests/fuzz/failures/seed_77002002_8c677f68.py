# seed 77002002, oracle: AttributeError: 'NoneType' object has no attribute 'out'
import numpy as np

def f(x, A, k):
    n = x.shape[0]
    if 0 < k < 4 or np.sum(A) > 1.0:
        w1 = A.T[k % A.shape[1]]
        K2 = 0.1 * (np.zeros((A.shape[1], A.shape[1])) - np.full((A.shape[1], A.shape[1]), 1.0 / (1.5 + -1.13 * -1.13), dtype=np.float64)) - 3.0 * np.eye(A.shape[1])
        t3 = np.tanh(0.9 * np.where(np.zeros(A.shape[1]) > np.ones(A.shape[1], dtype=np.float64), np.ones(A.shape[1]), np.full(A.shape[1], np.sum(w1))) @ np.linalg.solve(K2 @ K2.T, 0.9 * np.where(np.zeros(A.shape[1]) > np.ones(A.shape[1], dtype=np.float64), np.ones(A.shape[1]), np.full(A.shape[1], np.sum(w1)))))
    if A.shape[1] > 3 - 1:
        t6 = 0.1 * (0.3 if all((v4 > 0.23 for k5, v4 in enumerate(x))) else np.sin(x @ x))
        B7 = np.sqrt(1.0 + A * A)
        r8 = A.reshape(-1)
    v9 = x[:]
    s10 = 0
    for i in range(A.shape[1] - 1, 0, -1):
        s10 -= 0.6 * np.sum(np.abs(A))
        t13 = 0.1 * sum((1.0 for k12 in range(len(v9))))
    v14 = A.T[k % A.shape[1]]
    v9, v14 = (v14, v9)
    return (np.where(A < np.full((n, A.shape[1]), s10 / (2.0 + s10 * s10)), np.zeros((n, A.shape[1]), dtype=np.float64), v9[:, np.newaxis]) + 0.2 * np.sum(v14 * v14) + 0.7 * s10 + 0.5 * A, s10, np.log(2.0 + v9[:] * v9[:]) + 0.5 * v9 + 0.2 * np.sum(A * A) + 0.5 * x)


ARGS = (np.array([], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 1), 0,)
MORE = ((np.array([1.0644933159130434, 1.2867025675848245, -0.46999260976104296], dtype=np.float64), np.array([0.5929216058954627, 1.4937062331402466, -0.35122580797255654, -1.5738089660242096, 1.368792253231609, 0.3355323744924743], dtype=np.float64).reshape(3, 2), 2,),)
SEED = 77002002
