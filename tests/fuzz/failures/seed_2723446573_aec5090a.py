# seed 2723446573, jit, AttributeError: raises AttributeError: 'Unjoinable' object has no attribute 'items'
import heapq
import numba
import numpy as np

@numba.vectorize
def clipped(v):
    return v * 0.5 if v > 0.37 else v - 0.185

def f(u, pole, gap):
    m = u.shape[0]
    extra = np.argmax(pole)
    u1 = pole * np.exp(np.tanh(np.sin(u[::-1])))
    f2 = u1 ** (-1)
    w3 = np.sin(np.select([u1 > 0], [f2], 0.3))
    try:
        w4 = np.log(2.0 + u * w3 * (u * w3))
        assert -1.19 < w4[0] / (2.0 + w3[2] * w3[2]) < 1.1, 'low'
        n5 = np.sin(np.sqrt(1.0 + -0.73 * -0.73)) + 0.137
        n6 = np.sin(-1.08 + w4[0]) + 0.274
        q7 = [n5, n6]
        heapq.heapify(q7)
        t8 = 0.2 * heapq.nlargest(1, q7)[0]
    except Exception:
        t9 = np.mean(w3[1] + u)
    t10 = clipped(np.tanh(np.abs(u[-2])))
    return (u @ np.zeros(len(w3)) + 0.3 * np.sum(np.sin(w3)), u[:] + 0.7 * t10 + 0.5 * w3, extra)


ARGS = (np.array([0.8272025487268477, 1.0537630120640653, -1.1422871732470943, -1.44440332614255, -1.0381480578022964, 0.9428455554178319, 0.4365028879338042], dtype=np.float64), np.array([0.0, -0.3, -0.0, 0.7601767019049256, 0.0, -0.0, 0.4818782136410844], dtype=np.float64), np.array([0.8237646859570001, nan, nan, nan, nan, 1.4476563466261827, 1.14894863932695], dtype=np.float64),)
MORE = ((np.array([0.08541242119167913, -0.3641026715384885, 0.041532537540404535, 0.7762439536481573, -1.3113750573542118, -1.171975785471533, -0.5295105851911781], dtype=np.float64), np.array([1.0665301222692856, -1.0, 0.43040771135099165, -0.3, 0.3892418743528968, 0.42341688896104224, 0.8395543074822625], dtype=np.float64), np.array([nan, 0.7438469072910248, nan, nan, -0.889557904833111, nan, 0.500010301506038], dtype=np.float64),),)
SEED = 2723446573
