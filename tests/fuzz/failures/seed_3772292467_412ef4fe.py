# seed 3772292467, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v):
    a1, b2 = (-0.49 - v[0], np.tanh(v[0]))
    return (0.2 * np.sum(v) + 0.5 * a1 + 0.4 * v.sum(), b2 + 0.5 * b2 + 0.5 * a1 + 0.3 * np.sum(np.sin(v)))

def f(x, u, c):
    n = len(x)
    if np.exp(np.tanh(u[-1])) > c / (2.0 + x[-1] * x[-1]):
        for i in range(u.shape[0] - 1):
            s1 = u[i] if np.tanh(x[2]) < 0.57 and i != 1 else u[i]
            for j in range(n):
                z2 = np.sin(np.ones((n, 2), dtype=np.float32) - x[-2:] + (x[:, None] + np.zeros((1, 2), dtype=np.float32)))
                for e3 in x:
                    e3, s1 = (s1, e3)
                    s1 += np.tanh(np.sqrt(1.0 + u * u).mean())
                    t7, t8 = h0(x[:-2])
                s1 -= np.tanh(x.sum())
            if -1.11 < np.sin(u[i] - 0.07 * s1) < 0.45:
                break
    else:
        t9 = u / (2.0 + u * u) @ (1.0 / (1.5 + u * u))
    return (np.where(u > 0.73, u[:], u) + 0.5 * u, u[::-1] / (2.0 + u * u) + 0.5 * u + 0.3 * np.sum(np.sin(x)))


ARGS = (np.array([1.5138611793518066, -1.5265122652053833, 0.40934354066848755, -1.290998101234436, 1.4109077453613281, 1.2764734029769897, -0.871707022190094], dtype=np.float32), np.array([-0.22077961266040802, 0.49191418290138245, 0.8911979794502258, 0.27234622836112976, -1.0543954372406006, -1.0607292652130127, -0.8903506994247437], dtype=np.float32), -1.0789966549075385,)
MORE = ((np.array([-1.5104973316192627, 0.6557071208953857, -1.189958930015564, 1.5869170427322388, 1.1487188339233398], dtype=np.float32), np.array([0.8870443105697632, -1.0989428758621216, 0.5627381205558777, 0.6959102749824524, 1.167526364326477], dtype=np.float32), -0.392497147669447,),)
SEED = 3772292467
