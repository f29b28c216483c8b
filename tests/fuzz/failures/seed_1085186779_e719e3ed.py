# seed 1085186779, vjp, pullback, IndentationError: raises IndentationError: unindent does not match any outer indentation level (<gradscribe f_bwd 954861f996ae816e>, line 297)
import types
import numpy as np

def halving(v, k=2):
    return v / k
third = types.FunctionType(halving.__code__, globals(), 'third', (3,))

def h0(v):
    v[1:] = 0.1 * (v @ v) / (2.0 + 0.88 * 0.88)
    t1 = np.mean(v)
    t3 = third(np.tanh(np.exp(np.tanh(-0.27))))
    return np.sin(v[:-1]) + 0.7 * t3 + 0.7 * t1 + 0.3 * np.sum(np.sin(v))

def f(x, A, k):
    p1 = np.nonzero(x[:] > -1.25)[0]
    print(end='')
    try:
        v2 = A
        v2[k % len(x), :] = x
        x[k % A.shape[1]], x[0] = (x[0], x[k % A.shape[1]])
        if 1.32 / (2.0 + v2[-2, k % len(v2)] * v2[-2, k % len(v2)]) > np.sin(v2[::-1, k % len(A)].dot(v2[k % x.shape[0]])):
            raise ValueError('low')
    except Exception as problem:
        w5 = h0(x[::2])
        w6 = np.sin(np.log(2.0 + 0.7 * w5 * (0.7 * w5)))
        return (np.cos(A[k % x.shape[0], -1]), np.zeros((len(w5), len(A))).sum(axis=0))
    else:
        t7 = -1.16
    finally:
        t8 = 0.7 * x[k % len(x)]
    return (np.sin(x[-2]) - A[-1, k % len(A)] + 0.2 * np.sum(A * A) + 0.4 * x.sum(), np.where(A[-1] < 0.32, 0.7 * x, 0.51) + 0.4 * A.sum() + 0.5 * x)


ARGS = (np.array([-0.6496107436175809, 1.4877618613326056], dtype=np.float64), np.array([1.4629639421590275, -0.6426880668558855, 0.8894304460592894, -0.13967618376442914], dtype=np.float64).reshape(2, 2), 1,)
MORE = ((np.array([1.267069453914031, -0.35739602281994, 1.344794581258646], dtype=np.float64), np.array([-0.42372147771953794, -0.746147018521548, -1.4463419115564429, -0.16529082806800455, -1.2267049778654444, 1.588579119719474, -0.7434790086303139, 0.3237452613987011, 0.6883789356077363], dtype=np.float64).reshape(3, 3), 0,),)
SEED = 1085186779
