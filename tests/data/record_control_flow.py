"""Record what JAX gives for the functions of tests/corpus/control_flow.py, their gradients and over a batch:
python tests/data/record_control_flow.py"""
import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.corpus.control_flow import BATCH, X, loss, programs  # noqa: E402

jax.config.update("jax_enable_x64", True)


def leaves(tree):
    return [{"shape": np.shape(x), "values": np.ravel(x).tolist()} for x in jax.tree.leaves(tree)]


def gradient(f):
    try:
        return np.asarray(jax.grad(loss(f, jnp, jax.tree.leaves))(jnp.asarray(X))).tolist()
    except ValueError as error:
        assert "Reverse-mode differentiation does not work for lax.while_loop" in str(error)
        return None


values = {name: {"value": leaves(f(jnp.asarray(X))), "gradient": gradient(f), "batch": leaves(jax.vmap(f)(BATCH))}
          for name, f in programs(jax.lax, jnp).items()}
lines = [f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in values.items()]
(HERE / "control_flow.json").write_text("{\n"
                                        + ",\n".join([f"  \"jax\": {json.dumps(jax.__version__)}", *lines]) + "\n}\n")
