# seed 3772292669, stages, CoreError: raises CoreError: after dce: the type of t__159 (float64[length]) names length, which is not bound there
import numpy as np

def f(x, u, A, g, idx):
    m = u.shape[0]
    n = A.shape[1]
    if g >= -0.81:
        s1 = 0.0
        for c2 in (-0.56, 0.61):
            s1 = s1 + np.sin(np.exp(-c2 * c2))
            s4 = 0
            for c5 in (0.78, -0.94):
                for i in range(2):
                    A[:-2, ::-1] = A[2:, :]
                if np.abs(c2) < 0.5 * (0.5 * s1) ** 3 and -g <= -0.43:
                    return (u[-1] if s4 > np.mean(u) or np.sum(u[idx]) >= -0.76 else s4, x - x[:])
                w6 = np.cos(np.tanh(u[idx] - x - (x + x)))
                s4 += 0.4 * np.sum(A * A)
    else:
        t7 = np.min(u[-2] + u[::-1])
    return (x[::-1] @ x + 0.5 * g + 0.4 * A.sum() + 0.2 * np.sum(u * u) + 0.2 * np.sum(x * x), np.full(A.shape[0], 0.15 - -0.3, dtype=np.float64) @ A + 0.3 * np.sum(np.sin(A)) + 0.2 * np.sum(u * u) + 0.5 * x)


ARGS = (np.array([], dtype=np.float64), np.array([-0.4726514139293554, -0.6213456186415414], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 0), np.float64(1.0477253210796236), np.array([], dtype=np.int64),)
MORE = ((np.array([], dtype=np.float64), np.array([-1.0175362250722348, 0.7954934696399336, -1.2612423412384186], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 0), np.float64(-0.34227481525273373), np.array([], dtype=np.int64),),)
SEED = 3772292669
