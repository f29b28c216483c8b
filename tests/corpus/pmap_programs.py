"""Programs for devices, for JAX (`tests/data/record_pmap.py` records what it gives for 8 of them) and for us.

`programs(m, lax, np, n)` is {name: function without arguments}; m has pmap, vmap, jit, grad, jvp and vjp.
"""
import numpy


def numbers(*shape):
    """Different ones, between 0.2 and 1.2, of three decimals."""
    return numpy.round((numpy.arange(numpy.prod(shape)) * 0.618033988749895 % 1.0 + 0.2), 3).reshape(shape)


def pairs(n):
    """Groups of two devices that are no neighbours, where there is an even number of them; else one group."""
    return [[k, k + n // 2] for k in range(n // 2)] if n % 2 == 0 else [list(range(n))]


def collectives(lax, np, n):
    """{name: function of a vector of n numbers}"""
    groups, twice = pairs(n), lambda x: np.concatenate([x, 2.0 * x * x])
    size = len(groups[0])
    return {
        "psum": lambda x: lax.psum(x, "i"),
        "pmean": lambda x: lax.pmean(x, "i"),
        "all_gather": lambda x: lax.all_gather(x, "i"),
        "all_gather along 1": lambda x: lax.all_gather(x, "i", axis=1),
        "all_gather tiled": lambda x: lax.all_gather(x, "i", tiled=True),
        "all_gather tiled along 1": lambda x: lax.all_gather(np.stack([x, x * x]), "i", axis=1, tiled=True),
        "psum_scatter": lambda x: lax.psum_scatter(x, "i"),
        "psum_scatter along 1": lambda x: lax.psum_scatter(np.stack([x, x * x]), "i", scatter_dimension=1),
        "psum_scatter tiled": lambda x: lax.psum_scatter(twice(x), "i", tiled=True),
        "psum_scatter tiled along 1": lambda x: lax.psum_scatter(np.stack([twice(x), np.exp(twice(x))]), "i",
                                                                 scatter_dimension=1, tiled=True),
        "all_to_all": lambda x: lax.all_to_all(x, "i", 0, 0),
        "all_to_all to the end": lambda x: lax.all_to_all(np.stack([x, x * x, x], 1), "i", 0, 1),
        "all_to_all to the front": lambda x: lax.all_to_all(np.stack([x, x * x]), "i", 1, 0),
        "all_to_all tiled": lambda x: lax.all_to_all(twice(x), "i", 0, 0, tiled=True),
        "all_to_all tiled to the front": lambda x: lax.all_to_all(np.stack([x, x * x]), "i", 1, 0, tiled=True),
        "ppermute": lambda x: lax.ppermute(x, "i", [(k, (k + 1) % n) for k in range(n)]),
        "ppermute to some": lambda x: lax.ppermute(x, "i", [(k, k + 1) for k in range(n - 1)]),
        "pshuffle": lambda x: lax.pshuffle(x, "i", [(k * 3 + 1) % n if n % 3 else (k + 2) % n for k in range(n)]),
        "axis_index": lambda x: x * lax.axis_index("i"),
        "size": lambda x: x / lax.psum(1, "i") + lax.axis_size("i"),
        "psum in groups": lambda x: lax.psum(x, "i", axis_index_groups=groups),
        "pmean in groups": lambda x: lax.pmean(x, "i", axis_index_groups=groups),
        "all_gather in groups": lambda x: lax.all_gather(x, "i", axis_index_groups=groups),
        "psum_scatter in groups": lambda x: lax.psum_scatter(np.stack([x, x * x])[:size] if size <= 2 else x, "i",
                                                             axis_index_groups=groups),
        "all_to_all in groups": lambda x: lax.all_to_all(np.stack([x, x * x])[:size] if size <= 2 else x, "i", 0, 0,
                                                         axis_index_groups=groups),
    }


def extremes(lax, n):
    return {
        "pmax": lambda x: lax.pmax(x, "i"),
        "pmin": lambda x: lax.pmin(x, "i"),
        "pmax in groups": lambda x: lax.pmax(x, "i", axis_index_groups=pairs(n)),
        "pmin in groups": lambda x: lax.pmin(x, "i", axis_index_groups=pairs(n)),
    }


def inside(m, np, collective):
    """{what: a function of one device with the value, or a derivative, of a function that has the collective}"""
    def f(x):
        y = collective(x * x)
        return np.tanh(x) * np.sum(y * np.cos(np.arange(y.size * 1.0)).reshape(y.shape))

    return {
        "value": f,
        "tangent": lambda x: m.jvp(f, (x,), (1.0 - x,))[1],
        "grad inside": lambda x: m.grad(lambda x: np.sum(f(x)))(x),
        "vjp inside": lambda x: m.vjp(f, x)[1](1.0 - x)[0],
    }


def derivatives(m, np, n, collective):
    """{what: a program}"""
    X, one = numbers(n, n), inside(m, np, collective)
    over = m.pmap(one["value"], axis_name="i")
    return {what: lambda f=f: m.pmap(f, axis_name="i")(X) for what, f in one.items()} | {
        "grad around": lambda: m.grad(lambda X: np.sum(over(X) * X))(X),
        "tangent around": lambda: m.jvp(over, (X,), (1.0 - X,))[1],
    }


def programs(m, lax, np, n):
    out = {f"{k}, {what}": run for k, f in collectives(lax, np, n).items()
           for what, run in derivatives(m, np, n, f).items()}
    out |= {f"{k}, value": lambda f=f: m.pmap(lambda x: x - f(x), axis_name="i")(numbers(n, 2))
            for k, f in extremes(lax, n).items()}
    return out | nested(m, lax, np, n) | calls(m, lax, np, n) | dtypes(m, lax, np, n) | control(m, lax, np, n)


def nested(m, lax, np, n):
    """A vmap inside of the pmap."""
    X = numbers(n, 3, 2)
    inner = {
        "psum over devices": lambda x: np.tanh(x) * lax.psum(x * x, "i"),
        "psum over both": lambda x: np.tanh(x) * lax.psum(x * x, ("i", "j")),
        "pmean over each": lambda x: lax.pmean(np.tanh(x), "j") * lax.pmean(x * x, "i"),
        "all_gather": lambda x: np.tanh(x) * np.sum(lax.all_gather(x * x, "i") * np.arange(1.0, n + 1)[:, None], 0),
        "ppermute": lambda x: np.tanh(x) * lax.ppermute(x * x, "i", [(k, (k + 1) % n) for k in range(n)]),
        "numbers": lambda x: x * (lax.axis_index("i") * 10 + lax.axis_index("j")),
    }

    def both(f):
        return m.pmap(lambda x: m.vmap(f, axis_name="j")(x), axis_name="i")

    out = {f"vmap inside, {k}": lambda f=f: both(f)(X) for k, f in inner.items()}
    out |= {f"vmap inside, {k}, grad": lambda f=f: both(lambda x: m.grad(lambda x: np.sum(f(x)))(x))(X)
            for k, f in inner.items()}
    return out | {f"vmap inside, {k}, grad around": lambda f=f: m.grad(lambda X: np.sum(both(f)(X) * X))(X)
                  for k, f in inner.items()}


def calls(m, lax, np, n):
    """What is mapped, and how."""
    X, w = numbers(n, 3), numbers(3)
    tree = {"a": numbers(n, 2), "b": (numbers(n), numbers(n, 2, 2))}

    def shares(x, w):
        return x * w / lax.psum(np.sum(x * w), "i")

    def of_tree(t):
        return {"s": lax.psum(t["a"], "i") * t["b"][0], "p": (lax.pmean(t["b"], "i"), t["b"][1] @ t["a"])}

    def powers(x, p, scale):
        return scale * lax.psum(x ** p, "i")

    return {
        "jit inside": lambda: m.pmap(m.jit(lambda x: x / lax.psum(x, "i")), axis_name="i")(X),
        "jit around": lambda: m.jit(m.pmap(lambda x: x / lax.psum(x, "i"), axis_name="i"))(X),
        "jit of grad around":
            lambda: m.jit(m.grad(lambda X: np.sum(X * m.pmap(lambda x: x / lax.psum(x, "i"), axis_name="i")(X))))(X),
        "no collective": lambda: m.pmap(lambda x: np.sin(x) @ x)(X),
        "in_axes None": lambda: m.pmap(shares, axis_name="i", in_axes=(0, None))(X, w),
        "in_axes None, grad around":
            lambda: m.grad(lambda w: np.sum(X * m.pmap(shares, axis_name="i", in_axes=(0, None))(X, w)))(w),
        "in_axes None, grad inside": lambda: m.pmap(lambda x, w: m.grad(lambda w: np.sum(x * shares(x, w)))(w),
                                                    axis_name="i", in_axes=(0, None))(X, w),
        "in_axes 1": lambda: m.pmap(lambda x: np.cumsum(x) / lax.psum(x, "i"), axis_name="i", in_axes=1)(X.T.copy()),
        "out_axes 1": lambda: m.pmap(lambda x: x / lax.psum(x, "i"), axis_name="i", out_axes=1)(X),
        "out_axes of each": lambda: sum(m.pmap(lambda x: (x + lax.pmean(x, "i"), np.sum(x)), axis_name="i",
                                               out_axes=(1, 0))(X)),
        "out_axes None": lambda: m.pmap(lambda x: lax.psum(x, "i"), axis_name="i", out_axes=None)(X),
        "a tree, sums": lambda: m.pmap(of_tree, axis_name="i")(tree)["s"],
        "a tree, means": lambda: m.pmap(of_tree, axis_name="i")(tree)["p"][0][1],
        "a tree, products": lambda: m.pmap(of_tree, axis_name="i")(tree)["p"][1],
        "in_axes of a tree": lambda: m.pmap(lambda t, x: x * t["b"] / lax.psum(t["a"], "i"), axis_name="i",
                                            in_axes=({"a": 0, "b": None}, 0))({"a": X, "b": w}, X),
        "static_broadcasted_argnums": lambda: m.pmap(powers, axis_name="i",
                                                     static_broadcasted_argnums=(1, 2))(X, 3, 0.5),
        "a step of SGD":
            lambda: m.pmap(lambda w, x, y: w - 0.1 * lax.pmean(m.grad(lambda w: np.mean((x @ w - y) ** 2))(w), "i"),
                           axis_name="i", in_axes=(None, 0, 0))(w, numbers(n, 4, 3), numbers(n, 4)),
        "hessian inside": lambda: m.pmap(lambda x: m.hessian(lambda x: np.sum(x ** 3 * lax.psum(x[0], "i")))(x),
                                         axis_name="i")(X),
    }


def dtypes(m, lax, np, n):
    k = numpy.arange(n * 2).reshape(n, 2)
    x = numbers(n, 2)

    def over(f):
        return m.pmap(f, axis_name="i")

    return {
        "float32 psum": lambda: over(lambda x: lax.psum(x, "i"))(x.astype(numpy.float32)),
        "float32 pmean": lambda: over(lambda x: lax.pmean(x, "i"))(x.astype(numpy.float32)),
        "float32 gradient":
            lambda: over(m.grad(lambda x: np.sum(np.sin(x) * lax.psum(x, "i"))))(x.astype(numpy.float32)),
        "ints psum": lambda: over(lambda k: lax.psum(k, "i"))(k),
        "ints pmean": lambda: over(lambda k: lax.pmean(k, "i"))(k),
        "ints pmax": lambda: over(lambda k: lax.pmax(k, "i") - lax.pmin(k, "i"))(k),
        "ints all_gather": lambda: over(lambda k: lax.all_gather(k, "i"))(k),
        "ints ppermute": lambda: over(lambda k: lax.ppermute(k, "i", [(0, n - 1)]))(k + 1),
        "int32 psum": lambda: over(lambda k: lax.psum(k, "i"))(k.astype(numpy.int32)),
        "bools psum": lambda: over(lambda x: lax.psum(x > 0.7, "i"))(x),
        "bools all_gather": lambda: over(lambda x: lax.all_gather(x > 0.7, "i"))(x),
        "complex psum": lambda: over(lambda z: z / lax.psum(z * z, "i"))(x + 0.5j),
        "complex pmean": lambda: over(lambda z: z - lax.pmean(z, "i"))(x + 1j * x[::-1]),
        "complex all_gather": lambda: over(lambda z: lax.all_gather(z, "i")[0] * z)(x + 0.5j),
        "complex gradient": lambda: over(m.grad(lambda x: np.sum(np.abs(lax.psum(np.exp(1j * x), "i")) ** 2)))(x),
        "the number": lambda: over(lambda x: lax.axis_index("i") + 0 * x.astype(int))(x),
        "psum of a constant": lambda: over(lambda x: x * lax.psum(2.5, "i") + lax.pmean(w_of(np), "i"))(x),
    }


def w_of(np):
    return np.arange(2.0)


def control(m, lax, np, n):
    """Collectives in loops, and branches by the number of the device."""
    X = numbers(n, 4)
    right, left = [(k, (k + 1) % n) for k in range(n)], [((k + 1) % n, k) for k in range(n)]

    def heat(u, _=None):
        before, after = lax.ppermute(u[-1], "i", right), lax.ppermute(u[0], "i", left)
        wide = np.concatenate([before[None], u, after[None]])
        return u + 0.2 * (wide[2:] - 2.0 * u + wide[:-2])

    def ring(x):
        return lax.fori_loop(0, n - 1, lambda k, c: (c[0] + lax.ppermute(c[1], "i", right),
                                                     lax.ppermute(c[1], "i", right)), (x, x))[0]

    def until(x):
        """Halve until all have little."""
        return lax.while_loop(lambda c: lax.psum(np.sum(c[0]), "i") > 0.1, lambda c: (c[0] * 0.5, c[1] + 1), (x, 0))

    def scanned(x):
        return lax.scan(lambda c, v: (lax.pmean(c, "i") + v, c * v), x[0], x)[1]

    def over(f):
        return m.pmap(f, axis_name="i")

    return {
        "heat": lambda: over(lambda u: lax.fori_loop(0, 5, lambda k, u: heat(u), u))(X),
        "heat, grad inside":
            lambda: over(m.grad(lambda u: np.sum(lax.fori_loop(0, 5, lambda k, u: heat(u), u) ** 2)))(X),
        "heat, grad around":
            lambda: m.grad(lambda X: np.sum(over(lambda u: lax.fori_loop(0, 5, lambda k, u: heat(u), u))(X) ** 2))(X),
        "a ring": lambda: over(ring)(X),
        "until all have little": lambda: over(until)(X)[0],
        "rounds until all have little": lambda: over(until)(X)[1],
        "scan": lambda: over(scanned)(X),
        "scan, grad inside": lambda: over(m.grad(lambda x: np.sum(scanned(x))))(X),
        "a choice by the number": lambda: over(lambda x: np.where(lax.axis_index("i") == 0, x, lax.psum(x, "i")))(X),
        "cond by the number":
            lambda: over(lambda x: lax.cond(lax.axis_index("i") > 0, np.sin, np.cos, x) + lax.psum(x, "i"))(X),
    }
