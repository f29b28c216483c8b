"""Record what JAX gives for the programs of tests/corpus/shard_map_programs.py, on 8 devices:
python tests/data/record_shard_map.py

Where it refuses one, the kind of its error.
"""
import json
import os
import sys
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.corpus.shard_map_programs import programs  # noqa: E402


def mesh(shape, names):
    return jax.sharding.Mesh(np.array(jax.devices()).reshape(shape), names)


def recorded(run):
    try:
        x = np.asarray(run())
    except Exception as error:  # of any kind: it is what is to be known
        return {"error": type(error).__name__}
    return {"shape": x.shape, "dtype": str(x.dtype), "value": [float(f"{v:.12g}") for v in x.ravel().tolist()]}


jax.config.update("jax_enable_x64", True)
lines = [f"  {json.dumps(name)}: {json.dumps(recorded(run))}"
         for name, run in programs(jax, jax.lax, jnp, jax.sharding.PartitionSpec, mesh).items()]
(HERE / "shard_map.json").write_text("{\n"
                                     + ",\n".join([f"  \"jax\": {json.dumps(jax.__version__)}", *lines]) + "\n}\n")
