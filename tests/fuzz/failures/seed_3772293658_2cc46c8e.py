# seed 3772293658, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, A, c):
    n = len(x)
    s1 = 0.0
    for c2 in (-0.96, -1.15):
        v3 = x
        if not (np.minimum(A[-1, 1], c) > -0.6 and -0.47 < s1 * s1 < 1.18):
            return np.tanh(np.dot(A[1], x))
        if A[1, -1] <= -0.16:
            continue
        s1 += np.sin(np.min(A))
    c = 0.9 * (np.tanh(np.sqrt(1.0 + s1 * s1)) if 0.7 * (s1 - -1.34) > A.T[1, 1] and -0.87 < np.sin(x[1]) < 0.71 else np.log(2.0 + x[0] * x[0]))
    t4 = 0.7 * (A[0, 1] + s1)
    return np.sqrt(1.0 + x[0] * x[0]) + 0.5 * t4 + 0.5 * s1 + 0.4 * A.sum()


ARGS = (np.array([0.7774073152157168, -1.579413803518649], dtype=np.float64), np.array([0.9886997217357512, 1.5939275243778797, 0.9960495507822462, -1.461625629487883], dtype=np.float64).reshape(2, 2), -0.9201501160311452,)
MORE = ((np.array([-0.3299306347416462, -1.5985297120893625], dtype=np.float64), np.array([-0.46212895432976997, -0.07351761320757899, -0.5993203690664799, 1.3748084573136894], dtype=np.float64).reshape(2, 2), 0.737622741594659,),)
SEED = 3772293658
