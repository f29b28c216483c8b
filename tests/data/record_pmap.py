"""Record what JAX gives for the programs of tests/corpus/pmap_programs.py, on 8 devices:
python tests/data/record_pmap.py

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

from tests.corpus.pmap_programs import programs  # noqa: E402


def rounded(x):
    """Fourteen digits say what there is to say."""
    return [rounded(item) for item in x] if isinstance(x, list) else float(f"{x:.14g}") if isinstance(x, float) else x


def recorded(run):
    try:
        x = np.asarray(run())
    except Exception as error:  # of any kind: it is what is to be known
        return {"error": type(error).__name__}
    if x.dtype.kind == "c":
        return {"dtype": str(x.dtype), "value": rounded([x.real.tolist(), x.imag.tolist()])}
    return {"dtype": str(x.dtype), "value": rounded(x.tolist())}


jax.config.update("jax_enable_x64", True)
lines = [f"  {json.dumps(name)}: {json.dumps(recorded(run))}" for name, run in programs(jax, jax.lax, jnp, 8).items()]
(HERE / "pmap.json").write_text("{\n" + ",\n".join([f"  \"jax\": {json.dumps(jax.__version__)}", *lines]) + "\n}\n")
