# seed 3772292421, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, c):
    n = len(x)
    if len(x) >= 2:
        w1 = x
        if w1[1] < 0.35:
            w1 = np.sin(x ** 2 % 3.7)
            l2, r3 = (0, n - 1)
            while l2 < r3:
                w1[:-2] += np.sin(x[2:] * np.exp(np.tanh(np.full(n - 2, np.sin(w1[::-1].sum()), dtype=np.float32))))
                t4 = np.maximum(0.1 * np.sum(0.5 * w1[:]), c)
                if np.exp(np.tanh(np.tanh(w1[l2]))) >= 0.57 and 0.5 * (t4 - t4) > 1.08:
                    break
                w1[::2] = np.sin(0.5 * w1 - 0.5 * w1) @ np.sin(w1[::-1])
                l2, r3 = (l2 + 1, r3 - 1)
    return (x, np.mean(x))


ARGS = (np.array([0.3582920730113983, 1.2734442949295044, 1.1440191268920898, 1.4446600675582886, -0.5204958915710449, -1.4532172679901123, 1.5022135972976685], dtype=np.float32), 1.2188410066004445,)
MORE = ((np.array([-0.19921784102916718, -0.3670789301395416, 0.9720547795295715, 1.0745341777801514, -0.856698751449585, 1.2327438592910767, 0.1036931723356247], dtype=np.float32), -0.14922583957756386,),)
SEED = 3772292421
