# seed 3772293904, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, A, u, g, size):
    m = len(A)
    s1 = 0.0
    for i in range(m - 1, -1, -1):
        z2 = np.where(np.zeros((size, 2)) > 1.17, np.zeros((size, 2), dtype=np.float64) / (2.0 + -1.05 * -1.05), np.full((len(x), 2), np.tanh(g)))
        g = np.sin(np.cos(u[i]) - -u[-1])
        s1 -= s1
    return (u, np.full((A.shape[1], m), x[-2]).T + 0.7 * s1 + 0.7 * g + 0.3 * np.sum(np.sin(u)) + 0.3 * np.sum(np.sin(x)))


ARGS = (np.array([-0.5227448380285835, -0.4240633241212841, -0.6572447369039541, -1.4815859504721047, -1.5325043903231081, -0.27948536878938546, 1.5779817099616822], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 7), np.array([], dtype=np.float64), np.float64(1.5148838750854305), 7,)
MORE = ((np.array([-0.16393665612505792, 1.5384730992456435, -0.7692246359384893, 1.5382588730103448, -1.5071017331583798, 1.1876826748914033, -0.15096970356709716], dtype=np.float64), np.array([], dtype=np.float64).reshape(0, 7), np.array([], dtype=np.float64), np.float64(0.9231843761152221), 7,),)
SEED = 3772293904
