"""Records values and slopes of JAX where functions have kinks, poles and ties into kinks.json:
python tests/data/record_kinks.py (needs JAX; the tests do not)."""
import json
from pathlib import Path

import jax
import jax.numpy as jnp
from kinks import KINKS, POINTS

jax.config.update("jax_enable_x64", True)


def main():
    records = {}
    for text in KINKS:
        f = eval(f"lambda x: {text}", {"np": jnp, "special": jax.scipy.special})
        records[text] = [[repr(float(f(x))), repr(float(jax.grad(f)(x)))]
                         for x in map(jnp.float64, map(float, POINTS[text]))]
    Path(__file__).with_name("kinks.json").write_text(json.dumps({"jax": jax.__version__, "records": records}, indent=0)
                                                      + "\n")


if __name__ == "__main__":
    main()
