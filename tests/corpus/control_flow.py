"""Functions of one vector that use the control flow of `lax`,
for JAX (`tests/data/record_control_flow.py`) and for us."""
import numpy

X = numpy.array([0.35, 0.7, -0.2, 1.1])
BATCH = numpy.stack([X, X * 1.5, X - 0.31])
A = numpy.arange(8.0).reshape(4, 2) / 5


def programs(lax, np):
    three = [lambda a: np.sin(a), lambda a: a * a, lambda a: -a]

    def cell(h, a):
        return np.tanh(h * a), {"twice": h * 2, "pair": (h[0], a)}

    def layers(state, p):
        return {"h": np.tanh(state["h"] * p["w"] + p["b"]), "n": state["n"] + 1}, None

    return {
        "cond": lambda x: lax.cond(x[0] > 0.5, lambda a, b: a * b, lambda a, b: a - b, x, 2.0),
        "cond of a tree": lambda x: lax.cond(x[1] > x[0], lambda d: {"a": d["b"], "b": d["a"]},
                                             lambda d: d, {"a": x, "b": x * x})["a"],
        "switch": lambda x: lax.switch((x[0] * 4).astype(int) - 1, [*three, lambda a: 3 * a, lambda a: a / 2], x),
        "switch, clamped": lambda x: [lax.switch(k, three, x) for k in (-5, -1, 0, 1, 2, 3, 9)],
        "switch of one": lambda x: lax.switch((x[0] * 4).astype(int), three[:1], x),
        "while_loop": lambda x: lax.while_loop(lambda v: v[0] < 10.0,
                                               lambda v: (v[0] * 1.7 + 0.2, v[1] * x), (x[0], x))[1],
        "while_loop that never runs": lambda x: lax.while_loop(lambda v: v[0] > 100.0, lambda v: v * x, x),
        "fori_loop": lambda x: lax.fori_loop(0, 5, lambda i, v: v * x + i, x),
        "fori_loop of a tree": lambda x: lax.fori_loop(2, 4, lambda i, v: (v[1] * i, v[0] + x), (x, x * x)),
        "scan": lambda x: lax.scan(cell, A[0], A * x[0]),
        "scan backwards": lambda x: lax.scan(cell, A[0], A * x[0], reverse=True),
        "scan by length": lambda x: lax.scan(lambda h, a: (np.tanh(h * x), h), x, None, length=3),
        "scan of length 0": lambda x: lax.scan(lambda h, a: (np.tanh(h * x), (h, None)), x, None, length=0),
        "scan of nothing": lambda x: lax.scan(lambda h, a: (h * a, h[0]), x, x[:0]),
        "scan of trees": lambda x: lax.scan(layers, {"h": x[0], "n": 0}, {"w": x, "b": x * x}),
        "scan of several": lambda x: lax.scan(lambda c, a: (c + a[0], a[0] * a[1]), 0.0, (x, A)),
        "scan in a scan": lambda x: lax.scan(lambda c, a: lax.scan(lambda d, b: (np.sin(d * b), d), c, a), x[0],
                                             np.reshape(x, (2, 2))),
        "cond in a scan": lambda x: lax.scan(lambda c, a: (lax.cond(a > 0.5, lambda c: c * a, lambda c: c + a, c), c),
                                             1.0, x),
        "map": lambda x: lax.map(lambda a: np.sum(np.sin(a * x)), A[:, 0] * x),
        "map of a tree": lambda x: lax.map(lambda d: {"s": d["a"] * d["b"]}, {"a": x, "b": x * x}),
        "select": lambda x: lax.select(x > 0.5, x, -x),
    }


def loss(f, np, leaves):
    """A number of a result that depends on all of it."""
    return lambda x: sum([np.sum(np.sin(1.0 * y)) for y in leaves(f(x))])
