"""Records what JAX gives for the programs of examples/from_jax into from_jax.json: python tests/data/record_from_jax.py
[NAME ...] (needs JAX; the tests do not).  Their import lines are put back to JAX's, and nothing else is changed."""
import json
import re
import sys
from pathlib import Path

import jax
import numpy as np

HERE = Path(__file__).parent
PROGRAMS = HERE.parent.parent / "examples" / "from_jax"
IMPORTS = [(r"^import gradscribe as jax$", "import jax"), (r"^import numpy as jnp$", "import jax.numpy as jnp"),
           (r"^from gradscribe\b", "from jax"), (r"^from scipy\.", "from jax.scipy.")]


def for_jax(text):
    for ours, theirs in IMPORTS:
        text = re.sub(ours, theirs, text, flags=re.MULTILINE)
    assert "gradscribe" not in text
    return text


def results(path):
    jax.config.update("jax_enable_x64", False)  # as a program of its own begins
    namespace = {"__name__": path.stem}
    exec(compile(for_jax(path.read_text()), str(path), "exec"), namespace)
    found = jax.tree.map(lambda x: np.asarray(x).tolist(), namespace["main"]())
    return {"x64": bool(jax.config.jax_enable_x64), "results": found}


if __name__ == "__main__":
    file = HERE / "from_jax.json"
    recorded = json.loads(file.read_text()) if file.exists() else {}
    for path in sorted(PROGRAMS.glob("*.py")):
        if not sys.argv[1:] or path.stem in sys.argv[1:]:
            recorded[path.stem] = results(path)
    lines = [f"  {json.dumps(name)}: {json.dumps(entry)}"
             for name, entry in sorted(({"jax": jax.__version__} | recorded).items())]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n")
