"""Records the names that JAX's modules share with NumPy's into jax_*_names.txt: python tests/data/record_names.py
(needs JAX; the tests do not)."""
import inspect
from pathlib import Path

import jax.numpy as jnp
import numpy as np

for file, ours, theirs in (("numpy", np, jnp), ("linalg", np.linalg, jnp.linalg), ("fft", np.fft, jnp.fft)):
    names = sorted(n for n in dir(theirs)
                   if not n.startswith("_") and hasattr(ours, n) and not inspect.ismodule(getattr(theirs, n)))
    Path(__file__).with_name(f"jax_{file}_names.txt").write_text("\n".join(names) + "\n")
