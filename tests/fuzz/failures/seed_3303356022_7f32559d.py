# seed 3303356022, jit of value_and_grad, TypingError: raises TypingError: Failed in gradscribe mode pipeline (step: byte code to typed instructions)
import numpy as np

def f(y, idx):
    s1 = 1.0
    for l in range(2):
        a2, b3 = (y * y[idx], s1)
        v4 = y
        if s1 <= 0.19:
            continue
        v4 += b3
        s1 += a2[idx]
    return y


ARGS = (np.array([0.7], dtype=np.float64), np.array([0], dtype=np.int64),)
MORE = ()
SEED = 3303356022
