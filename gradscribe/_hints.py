"""What to write instead of names that people look for here by habit."""
from __future__ import annotations

import difflib

HABITS = {
    "numpy": "write NumPy itself: import numpy as np", "np": "write NumPy itself: import numpy as np",
    "jnp": "write NumPy itself: import numpy as np", "scipy": "import SciPy itself",
    "Array": "arrays are NumPy's: np.ndarray", "ndarray": "arrays are NumPy's: np.ndarray",
    "array": "arrays are NumPy's: np.array",
    "make_jaxpr": 'gs.jit(f).source(*args, stage="core") is the program, gs.jit(f).explain(*args) says why',
    "jac": "write gs.jacrev(f) or gs.jacfwd(f)", "hess": "write gs.hessian(f)",
    "linalg": "write NumPy itself: np.linalg", "fft": "write NumPy itself: np.fft",
    "tree_map": "write gs.tree.map", "tree_leaves": "write gs.tree.leaves",
    "device_put_replicated": "write gs.shard(x, mesh, gs.P())",
    "device_put_sharded": "write gs.shard(x, mesh, gs.P('data'))",
    "local_devices": "write gs.devices('cpu')", "sharding": "write gs.Mesh and gs.P", "set_mesh": "pass the mesh on",
    "PartitionSpec": "write gs.P", "NamedSharding": "write gs.shard(x, mesh, gs.P('data'))",
    "make_mesh": "write gs.Mesh((2, 4), ('data', 'model'))",
    "remat": "write gs.checkpoint",
    "named_call": "call the function: its name stands in the source",
    "value_grad": "write gs.value_and_grad", "derivative": "write gs.grad", "gradient": "write gs.grad",
    "eval_shape": "call the function, or gs.check(f, *args)", "pure_callback": "read and write outside of the function",
    "njit": "write gs.jit", "compile": "write gs.jit", "elementwise_grad": "write gs.vmap(gs.grad(f))",
}


def instead_of(module: str, name: str, names: list[str]) -> str:
    """The message of the AttributeError of a name that gradscribe, or a module of it, has not."""
    said = f"module '{module}' has no attribute '{name}'"
    if name in HABITS and module == "gradscribe":
        return f"{said}: {HABITS[name]}"
    near = [n for n in names if len(name) > 2 and n.startswith(name)]  # the beginning of a name
    near = near or difflib.get_close_matches(name, names, 1) or difflib.get_close_matches(name, HABITS, 1)
    if near and near[0] not in names:
        return f"{said}: {HABITS[near[0]]}" if module == "gradscribe" else said
    return f"{said}. Did you mean {module.replace('gradscribe', 'gs')}.{near[0]}?" if near else said


def only_public(module) -> None:
    """Let `dir` of a module show what users call, and let it say what to write instead of a name that it has not."""
    def __getattr__(name: str):
        raise AttributeError(instead_of(module.__name__, name, module.__all__))

    def __dir__():
        return {*module.__all__, *(name for name in vars(module) if name.startswith("__"))}

    module.__dir__ = __dir__
    if "__getattr__" not in vars(module):
        module.__getattr__ = __getattr__
