# seed 3772292417, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, A, y):
    n = len(x)
    y[::2] += np.sin(np.mean(y ** 2))
    z1 = np.tanh(np.zeros((y.shape[0], 2))) / (2.0 + 0.51 * 0.51)
    y = z1.T.sum(axis=0) * 0.9
    s2 = 0.0
    k3 = 0
    while True:
        k3 += 1
        if k3 > 2 or k3 != 1:
            break
        z4 = z1.T
        if 0.2 * np.sum(y) >= 1.14:
            continue
        t5 = z4[0, k3 % z1.shape[0]] ** 2 - z1[k3 % z4.shape[1], 0]
        s2 -= A.T[1].dot(np.dot(z4[:, k3 % y.shape[0]], np.zeros((len(z4), A.shape[0]))))
    return (y[-1] + np.tanh(s2) + 0.5 * s2 + 0.2 * np.sum(z1 * z1) + 0.3 * np.sum(np.sin(y)) + 0.3 * np.sum(np.sin(x)), np.max(z1) + 0.5 * s2 + 0.4 * z1.sum() + 0.4 * y.sum() + 0.2 * np.sum(A * A))


ARGS = (np.array([-1.5427996904052943, 1.0263516236214536, -0.6020612358937414, -1.5331065248724451, 1.1091558816956253, -0.29130549064143874, 1.5346297256161452], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 7), np.array([1.5443881265653205, 1.5544372671890812, -1.0916130650455527, -0.5467073340007376, -1.1436043798146736, -1.194293085951486, 0.28324407348532077], dtype=np.float64),)
MORE = ((np.array([-0.881768644482023, -1.4157048489942996, 1.425785616997865, 1.588741835635597, 0.21863996700292354, 0.21625241395713823, 0.7780827147205063], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 7), np.array([-0.11699935935054273, -1.5752538583479507, -1.0825083543064924, 1.301093908843109, -1.0248806250072198, 0.6462241273579012, -0.908597223926109], dtype=np.float64),),)
SEED = 3772292417
