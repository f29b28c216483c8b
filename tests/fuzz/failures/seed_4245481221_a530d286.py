# seed 4245481221, jvp: no exception, but the function raises LinAlgError: Singular matrix
import numpy as np

def f(A):
    z4 = A
    B5 = z4
    K6 = np.full((len(A), len(B5)), 0.3, dtype=np.float32)
    B7 = np.linalg.inv(K6)


ARGS = (np.array([-1.600000023841858, -0.800000011920929, -1.2999999523162842, -1.600000023841858], dtype=np.float32).reshape(2, 2),)
MORE = ()
SEED = 4245481221
