"""Record what JAX gives for the programs of tests/corpus/collectives.py: python tests/data/record_collectives.py"""
import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.corpus.collectives import programs  # noqa: E402

jax.config.update("jax_enable_x64", True)
values = {name: np.asarray(run()) for name, run in programs(jax, jax.lax, jnp).items()}
lines = [f"  {json.dumps(name)}: {json.dumps({'kind': x.dtype.kind, 'value': x.tolist()})}"
         for name, x in values.items()]
(HERE / "collectives.json").write_text("{\n"
                                       + ",\n".join([f"  \"jax\": {json.dumps(jax.__version__)}", *lines]) + "\n}\n")
