"""Record what JAX gives for the calls of tests/corpus/lax_calls.py, and their gradients:
python tests/data/record_lax.py"""
import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.corpus.lax_calls import calls, loss  # noqa: E402

jax.config.update("jax_enable_x64", True)


def entry(x):
    x = np.asarray(x)
    return {"dtype": str(x.dtype), "shape": x.shape, "values": [round(v, 13) for v in np.ravel(x).tolist()]}


def recorded(f, args):
    args = [jnp.asarray(x) for x in args]
    return {"value": [entry(x) for x in jax.tree.leaves(f(*args))], "gradient": gradient(f, args)}


def gradient(f, args):
    try:
        return [entry(x) for x in jax.grad(loss(f, jnp, jax.tree.leaves), argnums=tuple(range(len(args))))(*args)]
    except (ValueError, NotImplementedError) as error:
        print("no gradient:", str(error)[:100])
        return None  # of windows JAX differentiates sums, maxima and minima


lines = [f"  {json.dumps(name)}: {json.dumps(recorded(*call))}" for name, call in calls(jax.lax, jnp).items()]
(HERE / "lax.json").write_text("{\n" + ",\n".join([f"  \"jax\": {json.dumps(jax.__version__)}", *lines]) + "\n}\n")
