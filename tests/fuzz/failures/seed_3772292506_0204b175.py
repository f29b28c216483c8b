# seed 3772292506, stage optimised at other arguments: no exception, but the function raises IndexError: index -3 is out of bounds for axis 0 with size 1
import numpy as np

def f(x, y, A, c, idx):
    n = y.shape[0]
    m = A.shape[0]
    if y[-3] <= -1.25:
        s1 = np.min(A[::-1, :], axis=(0, 1))
        for i in range(m - 1, 0, -1):
            s1 = s1 + np.sin(np.sin(np.sum(A[1, ::-1])))
            t2 = 0.4 * y.sum()
            z3 = np.minimum(np.where(np.full((len(y), 2), x[:].max()) < -0.91, np.zeros((n, 2), dtype=np.float64), A.T[i % n, i]), y[:, np.newaxis])
        z4 = np.sin(np.sin(np.full((x.shape[0], 2), s1 - x[-2]) * np.full((A.shape[1], 2), c * A[0, 2])))
    else:
        w5 = np.sqrt(1.0 + x * x)
    return np.tanh(y) + 0.4 * A.sum() + 0.5 * x


ARGS = (np.array([1.2734060299725125, -0.49805670703179494, -0.7840086219083766, 0.6517668248048798, -0.9795858403969806, -0.6216237514136534, -1.481754267632441], dtype=np.float64), np.array([0.6543623195261112, -0.991619360477602, -1.0796666278205156, 0.054977442888639816, -1.564198140389786, 1.3278186305619744, 1.2351149316553682], dtype=np.float64), np.array([-1.3472618561625016, -1.479891743556636, -0.9650579181204417, 1.5485137098658917, -1.174386126171292, -1.467206401987027, -1.5035822525298013], dtype=np.float64).reshape(1, 7), 0.3823694978186585, np.array([5], dtype=np.int64),)
MORE = ((np.array([0.05867729658639931], dtype=np.float64), np.array([1.0275202619401838], dtype=np.float64), np.array([-0.16322262939603105], dtype=np.float64).reshape(1, 1), -0.3877520833592385, np.array([0], dtype=np.int64),),)
SEED = 3772292506
