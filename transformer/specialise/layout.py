"""The memory order of what NumPy makes: whether a later `reshape` is a view or a copy hangs on it.

"C" (rows one after the other), "F" (columns), or None where we do not know; arrays of fewer than two axes are "C".
NumPy's elementwise functions keep the order of their arguments; most others give "C".
"""
from __future__ import annotations

from ..rules.host import Host
from ..rules.kinds import Elementwise

KEEP = {"np.sum", "np.mean", "np.max", "np.min", "np.any", "np.all", "np.concatenate", "np.copy", "rt.astype", "rt.match", "retype",
        "stop_gradient", "rt.update", "rt.update_add", "np.asarray", "np.where"}
FRESH = {"np.zeros", "np.ones", "rt.full", "np.eye", "np.arange", "np.outer", "matmul"}


def common(orders) -> str | None:
    """The one order of all of them."""
    found = set(orders)
    return found.pop() if len(found) == 1 else None if found else "C"


def order_after(op, arguments: list[str | None], params: dict) -> str | None:
    """The order of the result of an operation, given those of its arguments of two axes and more."""
    if op.name in FRESH or isinstance(op, Host):
        return "C"
    if op.name in ("rt.update", "rt.update_add"):
        return arguments[0]
    if op.name in KEEP or isinstance(op, Elementwise):
        return common(arguments)
    given = common(arguments)
    match op.name:
        case "np.transpose":
            axes = params["axes"]
            if axes == tuple(range(len(axes))):
                return given
            return {"C": "F", "F": "C"}.get(given) if axes == tuple(reversed(range(len(axes)))) else None
        case "getitem":
            arrays = [k for k, code in enumerate(params["index"]) if code == "a"]
            return given if not arrays or arrays == [0] and given == "C" else None
    return "C" if given == "C" else None
