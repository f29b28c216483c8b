"""Records numbers of jax.random into random.json: python tests/data/record_random.py (needs JAX; the tests do not)."""
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

SHAPES = [[], [1], [2], [5], [8], [3, 4], [2, 3, 3], [0], [101]]
CALLS = [  # (function, positional arguments after the key, keyword arguments)
    *[("bits", [s], {}) for s in SHAPES],
    *[("bits", [s], {"dtype": d}) for s in ([], [7], [2, 3]) for d in ("uint8", "uint16")],
    *[("split", [n], {}) for n in (1, 2, 3, [2, 3])], *[("fold_in", [n], {}) for n in (0, 1, 43, 2**31, 2**32 - 1)],
    *[("uniform", [s], {}) for s in SHAPES], ("uniform", [[50]], {"minval": -3.0, "maxval": 10.0}),
    *[("normal", [s], {}) for s in SHAPES], ("normal", [[2000]], {}),
    *[("randint", [s, 0, 10], {}) for s in SHAPES], ("randint", [[50], -5, 1000000], {}),
    ("randint", [[20], -2**31, 2**31 - 1], {}), ("randint", [[10], 5, 5], {}), ("randint", [[10], 7, 2], {}),
    ("randint", [[20], 0, 256], {"dtype": "uint8"}),
    ("randint", [[20], -100, 90], {"dtype": "int8"}), ("randint", [[20], 3, 30000], {"dtype": "int16"}),
    ("randint", [[20], 0, 3000000], {"dtype": "uint32"}), ("randint", [[3], [0, 10, 20], [5, 20, 300]], {}),
    *[("bernoulli", [0.3, s], {}) for s in SHAPES], ("bernoulli", [[0.1, 0.5, 0.9]], {}),
    *[("permutation", [n], {}) for n in (0, 1, 2, 10, 2000)], ("permutation", [[1.5, 2.5, 3.5]], {}),
    ("permutation", [[[1, 2, 3], [4, 5, 6]]], {}), ("permutation", [[[1, 2, 3], [4, 5, 6]]], {"axis": 1}),
    ("exponential", [[50]], {}), ("laplace", [[50]], {}),
    ("gumbel", [[50]], {}), ("truncated_normal", [-1.0, 2.0, [50]], {}), ("truncated_normal", [-40.0, 0.5, [20]], {}),
    ("categorical", [[0.5, 1.0, -1.0, 2.0]], {"shape": [30]}),
    ("categorical", [[[0.5, 1.0, -1.0], [2.0, 0.0, 1.0]]], {"axis": 0}), ("choice", [7, [20]], {}),
    ("choice", [[1.0, 2.0, 4.0], [3, 5]], {}), ("choice", [10, [5]], {"replace": False}),
    ("choice", [4, [20]], {"p": [0.1, 0.2, 0.3, 0.4]}),
    ("choice", [4, [3]], {"p": [0.1, 0.2, 0.3, 0.4], "replace": False}), ("poisson", [3.0, [50]], {}),
    ("poisson", [25.0, [50]], {}), ("gamma", [[0.05, 0.3, 1.0, 2.5, 100.0]], {}), ("gamma", [3.0], {}),
    ("beta", [[0.5, 2.0, 40.0], 1.5], {}), ("beta", [3.0, 2.0], {}), ("poisson", [[0.0, 0.5, 9.0, 11.0, 1000.0]], {}),
    ("multivariate_normal", [[1.0, 2.0], [[4.0, 2.0], [2.0, 2.0]], [3]], {})]
DOUBLE = [("uniform", [[20]], {}), ("normal", [[20]], {}), ("exponential", [[5]], {}), ("laplace", [[5]], {}),
          ("gumbel", [[5]], {}), ("uniform", [[]], {})]
SHAPE_AT = {"bits": 0, "split": 0, "uniform": 0, "normal": 0, "randint": 0, "bernoulli": 1, "exponential": 0,
            "laplace": 0, "gumbel": 0, "truncated_normal": 2, "choice": 1, "poisson": 1, "multivariate_normal": 2}


def arguments(name, args, options):
    """The arguments as JAX takes them: shapes are tuples, other lists arrays, words dtypes."""
    args = [tuple(a) if isinstance(a, list) and SHAPE_AT.get(name) == k else jnp.array(a) if isinstance(a, list) else a
            for k, a in enumerate(args)]
    options = {k: tuple(x) if k == "shape" else jnp.array(x) if isinstance(x, list) else x for k, x in options.items()}
    return args, options


def record(seed, scheme, name, args, options, **more):
    given, named = arguments(name, args, options | more)
    result = getattr(jax.random, name)(jax.random.key(seed), *given, **named)
    result = np.asarray(jax.random.key_data(result) if name in ("split", "fold_in") else result)
    return {"seed": seed, "scheme": scheme, "name": name, "args": args, "options": options | more,
            "dtype": str(result.dtype), "value": result.tolist()}


def main():
    records = []
    for scheme in ("partitionable", "original"):
        jax.config.update("jax_threefry_partitionable", scheme == "partitionable")
        for k, (name, args, options) in enumerate(CALLS):
            records.append(record((42, 0, -7)[k % 3], scheme, name, args, options))
        jax.config.update("jax_enable_x64", True)
        records += [record(42, scheme, name, args, options, dtype="float64") for name, args, options in DOUBLE]
        records.append(record(42, scheme, "bits", [[5]], {}, dtype="uint64"))
        records.append(record(42, scheme, "randint", [[20], -(2**40), 2**50], {}, dtype="int64"))
        records.append(record(42, scheme, "randint", [[5], -(2**63), 2**63 - 1], {}, dtype="int64"))
        jax.config.update("jax_enable_x64", False)
    text = ",\n".join(json.dumps(r) for r in records)
    Path(__file__).with_name("random.json").write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
