# seed 51000105, stages, KeyError: raises KeyError: '<='
import numpy as np

def f(x, pole, gap):
    f1 = np.arccosh(1.0 + 1.5 * pole)
    w2 = np.tanh(np.where(1.5 * pole > 0, f1, 1.0))
    s3 = 0.0
    for e4, e5b in zip(x, w2):
        s3 += np.tanh(np.tanh(w2[:].dot(x[:])))
        t6 = e4
        e5b = e5b + np.sin(np.tanh(np.sum(x)) - (e4 - e5b))
        if np.mean(w2) >= 0.88:
            continue
    u8 = 1.5 * pole
    v7 = u8 - 0.04
    w9 = np.sin(np.clip(v7, 0.0, 9.0) ** 0.7)
    K10 = 0.1 * np.tanh(np.full((w9.shape[0], w9.shape[0]), w2[-2] * (0.5 * s3)) + w9[:, None])
    K10[np.arange(x.shape[0]), np.arange(x.shape[0])] += 3.0
    B11 = np.sin(np.linalg.inv(K10))
    return (np.tanh(s3) - w2[0] + 0.4 * B11.sum() + 0.2 * np.sum(w9 * w9) + 0.5 * s3 + 0.4 * w2.sum(), np.sin(np.sum(x[::-1])) + 0.2 * np.sum(B11 * B11) + 0.4 * w9.sum() + 0.5 * s3 + 0.3 * np.sum(np.sin(x)), np.maximum(w2[-1], 0.1 * w9.shape[0]) + 0.2 * np.sum(B11 * B11) + 0.2 * np.sum(w9 * w9) + 0.5 * s3 + 0.2 * np.sum(w2 * w2))


ARGS = (np.array([1.4529934567361562, -0.39566514007604714, 0.6753905441219219, -1.3043027731661914, -1.2344536290052905, -1.3469177981052742, -1.1010717140218693], dtype=np.float64), np.array([0.6271016081554542, 0.5224879251513255, 0.0, -0.0, 0.0, 0.6580267607435853, 0.9314234282682736], dtype=np.float64), np.array([nan, -1.1635377748199611, -0.7989155167299199, nan, 0.5857867197468096, nan, 1.2585024802756575], dtype=np.float64),)
MORE = ((np.array([0.22091928856457632, 0.44180686435452454, -0.07258663821437494, 0.8857128168913451, 0.11588379638579793, -0.3020548489417447, -0.4141970902733305], dtype=np.float64), np.array([1.204544703847513, 0.6904412143602793, 0.0, 1.4605078030477205, 1.4092556686681545, -1.0, 0.269969864202066], dtype=np.float64), np.array([-1.4968297152368253, nan, -0.8061897760721649, nan, 0.42983330979071765, -0.21420892793360916, 0.4844873930541855], dtype=np.float64),),)
SEED = 51000105
