"""Records values and derivatives of jax.nn into nn.json: python tests/data/record_nn.py (needs JAX;
the tests do not)."""
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
POINTS = [-np.inf, -1e3, -30.0, -2.0, -0.5, 0.0, 0.5, 2.0, 30.0, 1e3, np.inf, np.nan]
MATRIX = [[0.5, -1.0, 2.0, 0.0], [1e3, 1e3, -1e3, 999.0]]
MASK = [[True, False, True, True], [False, True, True, True]]
ELEMENTWISE = [("relu", {}), ("leaky_relu", {}), ("leaky_relu", {"negative_slope": 0.3}), ("elu", {}),
               ("elu", {"alpha": 0.7}), ("selu", {}), ("gelu", {}), ("gelu", {"approximate": False}), ("silu", {}),
               ("sigmoid", {}), ("log_sigmoid", {}), ("softplus", {})]
AXES = [{}, {"axis": 0}, {"axis": 1}, {"axis": None}, {"axis": (0, 1)}]
OVER_AXES = [*[(name, axes) for name in ("softmax", "log_softmax", "logsumexp", "standardize") for axes in AXES],
             ("logsumexp", {"axis": 1, "keepdims": True}), ("logsumexp", {"axis": 0, "b": [1.0, 0.5, 2.0, 3.0]}),
             *[(name, {"axis": 1, "where": MASK}) for name in ("softmax", "logsumexp", "standardize")],
             ("standardize", {"mean": 1.0, "variance": 4.0, "epsilon": 0.1}), ("glu", {}), ("glu", {"axis": 0})]
WEIGHTS = [1.0, -0.5, 0.25, 2.0]  # of the sum whose gradient is recorded


def weighted(y):
    y = jnp.ravel(y)
    return jnp.sum(y * jnp.resize(jnp.array(WEIGHTS), y.shape))


def main():
    records = []
    for name, options in ELEMENTWISE:
        f = lambda x: getattr(jax.nn, name)(x, **options)  # noqa: B023, E731
        records.append({"name": name, "options": options, "x": POINTS, "value": [float(f(x)) for x in POINTS],
                        "gradient": [float(jax.grad(f)(x)) for x in POINTS]})
    for name, options in OVER_AXES:
        given = {k: jnp.array(x) if isinstance(x, list) else x for k, x in options.items()}
        x = np.array(MATRIX)
        if name == "standardize":
            # jax.nn's variance cancels where the values are large
            x = np.array([[0.5, -1.0, 2.0, 0.0], [1.0, 3.0, -2.5, 0.25]])
        f = lambda x: getattr(jax.nn, name)(x, **given)  # noqa: B023, E731
        records.append({"name": name, "options": options, "x": x.tolist(), "value": np.asarray(f(x)).tolist(),
                        "gradient": jax.grad(lambda x: weighted(f(x)))(x).tolist()})  # noqa: B023
    text = ",\n".join(json.dumps(r) for r in records)
    Path(__file__).with_name("nn.json").write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
