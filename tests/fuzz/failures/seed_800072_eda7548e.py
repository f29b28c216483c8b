# found where a loop is left
import numpy as np

def f(A, c, k):
    n, m = A.shape
    t1 = c
    g2 = lambda t: np.tanh(t * 0.73)
    for i in range(2):
        z3 = np.where(np.zeros((len(A), m + m)) < np.full((len(A), m + m), np.zeros((len(A), m)).sum(axis=(0, 1))), np.cos(np.zeros((n, m + m), dtype=np.float64)), np.arange(m + m) / 3.0)
        s4 = 0.0
        for j in range(m + m - 1):
            s5 = 0.0
            for l in range(m - 1, 0, -1):
                s5, s4 = (s4, s5)
                if -0.13 < (s4 if s5 * s4 > np.sum(A) else s4) < 1.37:
                    return (A * A, np.sqrt(1.0 + A[:, ::-1] * A[:, ::-1]))
                A[:, l] -= np.sum(np.full((A.shape[0], z3.shape[0]), -0.83) / (2.0 + np.zeros((n, 1), dtype=np.float64) * np.zeros((n, 1), dtype=np.float64)), axis=1)
                B6 = w7 = g2(z3[2:, ::-1])
                s5 += 0.3 * (A.sum() if np.sum(B6) <= -1.08 else s4 if j > 1 else s5)
            if s5 > -0.32 and np.sum(np.ones((n, m + m), dtype=np.float64), axis=(0, 1)) > 0.56:
                return (A, A.T.T)
            B8 = z3[:, 2:]
            s4 += np.tanh(A.T.T.sum())
        B9 = np.maximum(np.full((len(z3), 1), c), np.ones((len(z3), 1), dtype=np.float64)) - z3
    return (A.T.T + 0.5 * A, A.T.reshape(n, A.shape[1]) + 0.5 * A)


ARGS = (np.array([], dtype=np.float64).reshape(0, 0), -1.102646797492139, 1,)
MORE = ((np.array([1.2958239891830248, 1.5872300372632768, 0.06665293800710148, 1.5696228522643518, -0.4583035960294157, 0.5811108764422128, 0.29314156520324386, -0.6306025595636289, -1.0414022248394084], dtype=np.float64).reshape(3, 3), 0.7037271467823478, 0,),)
SEED = 800072
