# seed 3772292509, jvp: no exception, but the function raises IndexError: index 2 is out of bounds for axis 0 with size 1
import numpy as np

def f(x, u, c, flag):
    u[2] *= np.tanh(0.2) * c
    z1 = np.dot(np.zeros((2, 1), dtype=np.float32) - u[None, :], np.zeros((len(u), u.shape[0]), dtype=np.float32) / (2.0 + np.zeros((u.shape[0], u.shape[0]), dtype=np.float32) * np.zeros((u.shape[0], u.shape[0]), dtype=np.float32)))
    z1[1, -1] += np.tanh((1.0 + c * c) ** 0.7 - (0.1 * x.shape[0] + c))
    x[1] += np.sin(np.where(np.zeros(z1.shape[1], dtype=np.float64) < 0.1 * np.arange(z1.shape[1]), 0.1 * np.arange(u.shape[0]), u).mean())
    return np.max(np.ones((2, u.shape[0])))


ARGS = (np.array([1.340040683746338, 1.5092658996582031, -0.85829758644104, -0.16457393765449524, -0.3686464726924896, 0.2830551564693451, -0.3471479117870331], dtype=np.float32), np.array([-1.3901948928833008], dtype=np.float32), -1.1685223417586024, True,)
MORE = ((np.array([1.07205069065094, -0.9246398210525513, 0.5718996524810791, 0.9824647307395935, -1.128729224205017, -0.9353770613670349, 0.23434258997440338, -1.2684991359710693], dtype=np.float32), np.array([0.6306630373001099], dtype=np.float32), -0.3308908694343924, False,),)
SEED = 3772292509
