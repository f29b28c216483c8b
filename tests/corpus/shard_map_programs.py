"""Programs for blocks of a mesh, for JAX (`tests/data/record_shard_map.py` records what it gives) and for us.

`programs(m, lax, np, P, mesh)` is {name: function without arguments}; m has shard_map, grad, jvp, vmap; mesh(shape,
names).
"""
import numpy


def numbers(*shape):
    """Different ones, between 0.2 and 1.2, of three decimals."""
    return numpy.round((numpy.arange(numpy.prod(shape)) * 0.618033988749895 % 1.0 + 0.2), 3).reshape(shape)


def collectives(lax, np):
    """{name: (function of a block of (2, 4), where results lie)} on a mesh of 4 along "a" and 2 along "b"."""
    ring = [(k, (k + 1) % 4) for k in range(4)]
    return {
        "psum over a": lambda x: x * lax.psum(x * x, "a"),
        "psum over b": lambda x: x * lax.psum(x * x, "b"),
        "psum over both": lambda x: x * lax.psum(x * x, ("a", "b")),
        "psum over both, in another order": lambda x: x * lax.psum(x * x, ("b", "a")),
        "pmean over a": lambda x: np.sin(x) * lax.pmean(x * x, "a"),
        "all_gather over a": lambda x: x * np.sum(lax.all_gather(x, "a") * np.arange(1.0, 5.0)[:, None, None], 0),
        "all_gather over b, tiled": lambda x: x * np.sum(lax.all_gather(x, "b", axis=1, tiled=True), 1)[:, None],
        "all_gather over both": lambda x: x * np.sum(lax.all_gather(x, ("a", "b")) * np.arange(1.0, 9.0)[:, None, None],
                                                     0),
        "psum_scatter over b": lambda x: lax.psum_scatter(np.concatenate([x, 2.0 * x]), "b", tiled=True),
        "all_to_all over a": lambda x: lax.all_to_all(x, "a", 1, 1, tiled=True),
        "all_to_all over b": lambda x: lax.all_to_all(x, "b", 0, 0, tiled=True),
        "ppermute over a": lambda x: x * lax.ppermute(x * x, "a", ring),
        "ppermute over b, to one": lambda x: x + lax.ppermute(x * x, "b", [(1, 0)]),
        "numbers": lambda x: x * (1.0 + lax.axis_index("a") + 10.0 * lax.axis_index("b")),
        "both numbers": lambda x: x * lax.axis_index(("a", "b")),
        "size": lambda x: x / lax.psum(1, "a") + lax.axis_size("b"),
    }


def programs(m, lax, np, P, mesh):
    ab, X = mesh((4, 2), ("a", "b")), numbers(8, 8)

    def over(f, **options):
        return m.shard_map(f, mesh=ab, in_specs=P("a", "b"), out_specs=P("a", "b"), **options)

    out = {}
    for name, f in collectives(lax, np).items():
        def inside(x, f=f):
            return m.grad(lambda x: np.sum(np.sin(f(x))))(x)

        out |= {f"{name}, value": lambda f=f: over(f)(X),
                f"{name}, tangent": lambda f=f: m.jvp(over(f), (X,), (1.0 - X,))[1],
                f"{name}, grad around": lambda f=f: m.grad(lambda x: np.sum(over(f)(x) * x))(X),
                f"{name}, grad inside": lambda inside=inside: over(inside, check_vma=False)(X)}
    return out | specs(m, lax, np, P, mesh, X) | layers(m, lax, np, P, mesh)


def specs(m, lax, np, P, mesh, X):
    ab = mesh((4, 2), ("a", "b"))

    def shows(x):
        return x + 100.0 * lax.axis_index("a") + 1000.0 * lax.axis_index("b")

    def of(inner, outer, f=shows):
        return lambda: m.shard_map(f, mesh=ab, in_specs=inner, out_specs=outer)(X)

    return {
        "specs b a": of(P("b", "a"), P("b", "a")), "specs ab": of(P(("a", "b")), P(("a", "b"))),
        "specs ba": of(P(("b", "a")), P(("b", "a"))), "specs, columns ba": of(P(None, ("b", "a")), P(None, ("b", "a"))),
        "specs a to b": of(P("a", "b"), P("b", "a")),
        "specs none to both": of(P(), P(("a", "b"))),
        "specs of all": of(P("a", "b"), P(), lambda x: lax.psum(x, ("a", "b"))),
        "specs b alone": of(P("a", "b"), P(None, "b"), lambda x: lax.psum(x, "a")),
    }


def layers(m, lax, np, P, mesh):
    """JAX's examples of products of blocks, and two layers of a network."""
    xy, A, B = mesh((4, 2), ("x", "y")), numbers(8, 16), numbers(16, 4)
    specs = (P("x", "y"), P("y", None))

    def matmul(a, b):
        return lax.psum(np.dot(a, b), "y")

    def scattered(a, b):
        return lax.psum_scatter(np.dot(a, b), "y", scatter_dimension=1, tiled=True)

    product = m.shard_map(matmul, mesh=xy, in_specs=specs, out_specs=P("x", None))

    def forward(p, x):
        return lax.psum(np.tanh(x @ p["W1"] + p["b1"]) @ p["W2"], "y") + p["b2"]

    p = {"W1": numbers(3, 6), "b1": numbers(6), "W2": numbers(6, 2), "b2": numbers(2)}
    cut = {"W1": P(None, "y"), "b1": P("y"), "W2": P("y"), "b2": P()}
    network = m.shard_map(forward, mesh=xy, in_specs=(cut, P("x")), out_specs=P("x"))
    x = numbers(8, 3)
    slope = m.grad(lambda p: np.sum(network(p, x) ** 2))
    return {
        "matmul": lambda: product(A, B),
        "matmul, scattered": lambda: m.shard_map(scattered, mesh=xy, in_specs=specs, out_specs=P("x", "y"))(A, B),
        "matmul, grad": lambda: m.grad(lambda a: np.sum(product(a, B) ** 2))(A),
        "matmul, jit": lambda: m.jit(product)(A, B), "network": lambda: network(p, x),
        **{f"network, {k}": lambda k=k: slope(p)[k] for k in p},
    }
