# seed 777100178, stages at the first arguments again, ValueError: raises ValueError: length should not be negative
def h1(v, u, c=0.45):
    v1 = v
    return v1[:1]

def f(u):
    w1 = u[:-1]
    w6 = h1(w1[::2], 1, c=0.1)
    return 1


ARGS = (np.array([], dtype=np.float64),)
MORE = ((np.array([-0.4248003641030327, 1.5895689117439349, -0.9106715389397018], dtype=np.float64),),)
SEED = 777100178
