# seed 1682739379, jit, LoopError: raises LoopError: after share: j__5_, the index of a loop, is bound in it
import numpy as np

def f(x, A):
    n, m = A.shape
    t1 = 0.07 * np.real_if_close(np.sum(x * (1.0 + 0j)))
    A[-3] *= 0.6 * A[-2].copy()
    for i in range(m - 1):
        t1 = np.sin(i * 0.15 - x[i % n])
        d2 = np.tanh(x[-2] - t1)
        for j in range(3):
            d2 += 0.6 * np.minimum(np.max(A), 1.28)
        if d2 > 0.1:
            t1 += np.sin(d2)
    p3, s5 = ([], 0.1)
    for v4 in x:
        while p3 and p3[-1] >= v4 + 0.013:
            del p3[-1]
        p3.append(v4)
    t6 = 0.07 * s5 + sum((u * w for u, w in zip(p3, p3[1:])))
    return x[2] + 0.5 * t6 + 0.4 * A.sum() + 0.3 * np.sum(np.sin(x))


ARGS = (np.array([-0.3296114915891821, 1.0299040896146088, 0.4874023597631405, -0.2091994634818768, -1.0678963013052694, 0.8948276653586, -0.3967451148991372], dtype=np.float64), np.array([], dtype=np.float64).reshape(7, 0),)
MORE = ((np.array([-0.3043803332227626, 0.7521726184233728, -0.2833238970018581, 0.36255818779702476, -0.10818452577068305, -0.19695306184044514, 1.208890295668045], dtype=np.float64), np.array([], dtype=np.float64).reshape(7, 0),),)
SEED = 1682739379
