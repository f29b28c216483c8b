# seed 3724495114, time: not done after 60 s
import heapq
import numpy as np

def f(x, c):
    n = x.shape[0]
    s1 = 0.0
    for e2 in x:
        s1 += np.cos(1.13)
        x[:-1] += np.sin(x[-2::-1])
        n4 = 0.2 * (x[-1] - s1) + 0.137
        n5 = 0.5 * (e2 - e2) + 0.274
        q6 = [(n4, 0), (n5, 1)]
        heapq.heapify(q6)
        t7 = 0.2 * heapq.heapreplace(q6, (n5 * 0.5, 6))[0]
    return np.minimum(s1, c)


ARGS = (np.array([-0.2331192910175841, -0.97534796989791], dtype=np.float64), 0.27254613472628675,)
MORE = ((np.array([1.3714188391097974], dtype=np.float64), -1.027881860436933,),)
SEED = 3724495114
