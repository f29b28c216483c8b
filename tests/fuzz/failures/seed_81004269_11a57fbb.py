# seed 81004269, vjp, dot product: <u, J t> = np.float64(-0.0341136957819847), <J' u, t> = np.float64(nan)
import numpy as np

def f(x, c, g, k, pole, gap):
    n = x.shape[0]
    u1 = pole * np.exp(np.tanh(-0.55))
    f2 = u1 ** (-0.5)
    w3 = 0.4 * np.select([u1 > 0], [f2], 1.0)
    u4 = 1.5 * pole
    w5 = 0.4 * np.where((u4 > 0) & (u4 < 9.0), u4 ** 0.5, 0.3)
    m6 = w3 > 0.62
    z7 = w3[np.nonzero(~m6)]
    K8 = 0.1 * (np.eye(w3.shape[0], dtype=np.float64) if np.cos(x[-2]) > 1.08 else np.zeros((n, n))) - 3.0 * np.eye(len(x))
    w9 = np.tanh(np.linalg.solve(K8 * (1.0 + 0.5j), np.tanh(w5)).imag)
    w9 /= 1.3 + w9 * w9
    return (np.sum(w9) + 0.3 * np.sum(np.sin(w9)) + 0.2 * np.sum(z7 * z7) + 0.2 * np.sum(w5 * w5), 0.8 * (x @ x))


ARGS = (np.array([0.5865494012832642, 0.3716013729572296], dtype=np.float32), -0.4508521011418911, np.float64(0.8424791839887122), 4, np.array([-0.3, 0.42560013360210236], dtype=np.float64), np.array([1.2072563511321943, 0.20028567419101262], dtype=np.float64),)
MORE = ((np.array([1.5495189428329468, 1.1006550788879395, 0.8903554081916809], dtype=np.float32), 0.0464379904102461, np.float64(0.9423849056602727), 1, np.array([0.0, 1.415237091991589, 1.2615937206504586], dtype=np.float64), np.array([0.11672393351745255, nan, 0.7984175219869438], dtype=np.float64),),)
SEED = 81004269
