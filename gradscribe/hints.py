"""What to write instead of names that people look for here by habit."""
from __future__ import annotations

import difflib

HABITS = {
    "numpy": "write NumPy itself: import numpy as np", "np": "write NumPy itself: import numpy as np",
    "jnp": "write NumPy itself: import numpy as np", "scipy": "import SciPy itself",
    "Array": "arrays are NumPy's: np.ndarray", "ndarray": "arrays are NumPy's: np.ndarray",
    "array": "arrays are NumPy's: np.array",
    "make_jaxpr": 'gs.jit(f).source(*args, stage="core") is the program, gs.jit(f).explain(*args) says why',
    "jacobian": "write gs.jacrev(f) (few results) or gs.jacfwd(f) (few arguments)",
    "jac": "write gs.jacrev(f) or gs.jacfwd(f)", "hess": "write gs.hessian(f)",
    "device_put": "arrays are NumPy's, in the memory of the process: use them as they are",
    "device_get": "arrays are NumPy's, in the memory of the process: use them as they are",
    "block_until_ready": "calls return when they are done", "devices": "it runs on the CPU",
    "pmap": "write gs.vmap(f), compiled by gs.jit: threads share the examples",
    "tree_map": "write gs.tree.map", "tree_leaves": "write gs.tree.leaves",
    "remat": "write gs.checkpoint",
    "named_call": "call the function: its name stands in the source",
    "value_grad": "write gs.value_and_grad", "derivative": "write gs.grad", "gradient": "write gs.grad",
    "eval_shape": "call the function, or gs.check(f, *args)", "pure_callback": "read and write outside of the function",
    "njit": "write gs.jit", "compile": "write gs.jit", "elementwise_grad": "write gs.vmap(gs.grad(f))",
}


def instead_of(name: str, names: list[str]) -> str:
    """The message of the AttributeError of a name that gradscribe has not."""
    said = f"module 'gradscribe' has no attribute '{name}'"
    if name in HABITS:
        return f"{said}: {HABITS[name]}"
    near = difflib.get_close_matches(name, names, 1)
    return f"{said}. Did you mean gs.{near[0]}?" if near else said
