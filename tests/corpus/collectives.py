"""Programs with collectives, for JAX (`tests/data/record_collectives.py` records what it gives)
and for us: `programs(m, lax, np)`."""
import numpy

X = numpy.array([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]])
W = numpy.array([0.3, -0.7])
ROUND = [(0, 1), (1, 2), (2, 0)]


def programs(m, lax, np):
    """{name: function without arguments}; m has vmap, grad and jvp."""
    tanh, total, vmap, grad = np.tanh, np.sum, m.vmap, m.grad

    def over(f):
        return lambda: vmap(f, axis_name="i")(X)

    def inside(f):  # per example
        return over(lambda x: grad(lambda x: total(f(x)))(x))

    def around(f):
        return lambda: grad(lambda X: total(vmap(f, axis_name="i")(X)))(X)

    def nested(f):
        return lambda X: vmap(lambda row: vmap(f, axis_name="j")(row), axis_name="i")(X)

    products = {
        "psum": lambda x: tanh(x) * lax.psum(x * x, "i"),
        "pmean": lambda x: tanh(x) * lax.pmean(x * x, "i"),
        "all_gather": lambda x: tanh(x) * lax.all_gather(x * x, "i"),
        "all_gather_tiled": lambda x: total(tanh(x)) * lax.all_gather(x * x, "i", tiled=True),
        "ppermute": lambda x: tanh(x) * lax.ppermute(x * x, "i", ROUND),
        "axis_index": lambda x: tanh(x) * lax.axis_index("i"),
        "mixed": lambda x: lax.pmean(tanh(x), "i") * total(lax.all_gather(x, "i")) / lax.psum(1, "i"),
    }
    two = {
        "each": lambda x: tanh(x) / lax.psum(x * x, "j") + lax.pmean(x * x, "i"),
        "both": lambda x: tanh(x) * lax.psum(x * x, ("i", "j")),
        "gather": lambda x: total(tanh(x) * lax.all_gather(x * x, "i")) * lax.axis_index("j"),
        "permute": lambda x: tanh(x) * lax.ppermute(x * x, "i", ROUND) + lax.axis_index("i"),
    }
    out = {f"{k} over": over(f) for k, f in products.items()}
    out |= {f"{k} grad inside": inside(f) for k, f in products.items()}
    out |= {f"{k} grad around": around(f) for k, f in products.items()}
    out |= {f"{k} tangent": lambda f=f: m.jvp(lambda X: vmap(f, axis_name="i")(X), (X,), (X * X,))[1]
            for k, f in products.items()}
    out |= {f"{k} nested": lambda f=f: nested(f)(X) for k, f in two.items()}
    out |= {f"{k} nested, grad around": lambda f=f: grad(lambda X: total(nested(f)(X)))(X) for k, f in two.items()}
    out |= {f"{k} nested, grad inside": lambda f=f: nested(lambda x: grad(f)(x))(X) for k, f in two.items()}
    return out | {
        "pmax and pmin": over(lambda x: x - lax.pmax(x, "i") * lax.pmin(x, "i")),
        "all_gather along 1": over(lambda x: lax.all_gather(x, "i", axis=1)),
        "all_gather tiled": over(lambda x: lax.all_gather(x, "i", tiled=True)),
        "the same for all": over(lambda x: x * lax.psum(1, "i") + lax.psum(W, "i")
                                           + lax.pmean(W, "i") * lax.pmax(2.0, "i")),
        "a tree": over(lambda x: x + lax.psum({"a": x, "b": (x[0], 2.0)}, "i")["b"][0]),
        "weights, grad inside": over(lambda x: grad(lambda w: total(w * lax.psum(x * w, "i")))(W)),
        "weights alone, grad inside": over(lambda x: x + grad(lambda w: total(lax.psum(w * w, "i")))(W)),
        "weights, grad around":
            lambda: grad(lambda w: total(vmap(lambda x: tanh(w * lax.psum(x * w, "i")), axis_name="i")(X)))(W),
        "ints": over(lambda x: lax.psum(lax.axis_index("i"), "i") + x),
        "bools": over(lambda x: lax.psum(x > 0.7, "i")),
    }
