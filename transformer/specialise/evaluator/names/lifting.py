"""What is outside of the function as values: arrays and numbers are read at each call, as hidden arguments; functions,
modules, strings and other objects are static, and each call checks that they are still the same."""
from __future__ import annotations

import collections
import types as pytypes

import numpy as np

from ....core import OnTop
from ....core.types import PYTHON_DTYPE, Dim, Type
from ....frontend.module_names import module_of, package_of
from ....inputs.guards import Kind, Path, Shape, can_change_unseen, has_only_fields, hiding, is_run_time_leaf
from ....inputs.proxy_array import Proxy
from ....library.registry import reading_of
from ....pytree.containers import class_of, foreign_parts, is_container, is_plain, open_container
from ....pytree.given import is_refillable
from ...domain import values as v
from ...domain.plans import Plan, Way

# classes of containers whose subclasses are refused where they come from outside -> what makes one
PLAIN = {list: "list(x)", dict: "dict(d)", collections.deque: "deque(x)"}


def lift(s, obj, path: Path, key: tuple):
    """The value of an object from outside, the same value each time it is met."""
    key, outside = (*key, path.text), s.outside
    if key not in outside.lifted:
        before = set(s.heap) if not outside.lifting else ()
        with OnTop(outside.lifting, obj):
            outside.lifted[key] = _lift(s, obj, path, key)
        if not outside.lifting:
            outside.slots.update((k, x) for k, x in s.heap.items() if k not in before)
    return outside.lifted[key]


def lift_stored(s, stored: v.Stored) -> None:
    """An array from outside that the function stores into: in the heap from the start, as arguments are."""
    obj = stored.path.now()
    if isinstance(obj, np.ndarray):
        cell = lift(s, obj, stored.path, stored.key).cell
        cell.outside = None
        del s.outside.slots[cell, None]


def is_own(path: Path) -> bool:
    """Does a function of Gradscribe itself see this?  Its numbers and functions do not change;
    its settings, which are strings, do."""
    namespace = (path.root if isinstance(path.root, dict)
                 else path.root.__globals__ if isinstance(path.root, pytypes.FunctionType) else {})
    return str(namespace.get("__name__", "")).startswith("gradscribe.")


def _lift(s, obj, path, key):
    if is_own(path) and not is_container(obj) and not isinstance(obj, (str, np.ndarray)):
        return s.static_number(obj)
    reading = reading_of(obj)
    if reading is None and is_run_time_leaf(obj):
        return lifted_leaf(s, obj, path, key)
    if is_container(obj):
        if any(x is obj for x in s.outside.lifting[:-1]):
            s.fail(f"{path.text} contains itself", "Use containers that do not.")
        s.guard(path, Shape.of(obj))
        return lifted_container(s, obj, lambda x, p: lift(s, x, p, key), path, path.text)
    if reading is not None:
        cls, ways = reading
        s.guard(path, obj)
        s.outside.partial.add(cls)
        found = [path.way(way) for way in ways.values()]
        return s.box([lift(s, at.get(), at, key) for at in found], cls, list(ways), v.OBJECT)
    refuse_unseen(s, obj, path)
    s.guard(path, obj)
    s.guard_members(obj)
    s.outside.paths[id(obj)] = Path(path.text, obj, None, "default")
    return v.Static(obj)


def refuse_unseen(s, obj, path) -> None:
    """Refuse what no guard can look into."""
    if package_of(type(obj)) == "xarray":
        s.fail(f"{path.text} is a {type(obj).__name__} of xarray",
               f"Take the array of it before: {path.text}.to_numpy().")
    if can_change_unseen(obj):
        s.fail(f"{path.text} is a {type(obj).__name__}, which may change from one call to the next",
               "Convert it before: A.tocsr()." if module_of(type(obj)).startswith("scipy.sparse")
               else f"Make an array of it: np.asarray({path.text})." if isinstance(obj, Proxy)
               else "Make a tuple, list or dict of it, or pass it to the function.")


def lifted_leaf(s, obj, path, key):
    """An array or number from outside: a hidden argument, or known where it has to be."""
    if Plan(Way.KNOWN, path.text) in s.static_paths or s.exact and (type(obj) is int or isinstance(obj, np.integer)):
        s.guard(path, obj)
        return s.static_number(obj)
    value = s.parameter(obj, path.text.replace(".", "_").replace("[", "_").replace("]", "").replace("'", ""), path)
    s.guard(path, Kind.of(obj))
    if isinstance(value, v.Array):
        value.cell.outside = path.text
        s.outside.found_at[value.cell] = v.Stored(path, key[:-1])
    return value


def build(s, obj, leaf, path=Path("", None, None, "default"), outside=None, rows=lambda x, p: None):
    """The value of an object: of a container that of its items; `leaf(object, path)` for what is none, and
    `rows(object, path)` for what rows of arrays stand for."""
    def item(x, p):
        return rows(x, p) or lifted_container(s, x, item, p, outside) if is_container(x) or is_plain(x) else leaf(x, p)

    return item(obj, path)


def lifted_container(s, obj, item, path, outside):
    """The value of a container: `item(object, path)` for what is in it; `outside`:
    what to call it when it is not ours to change."""
    def box(*contents):
        value = s.box(*contents)
        value.box.outside = outside
        s.boxes += [(id(obj), value)] * is_refillable(obj)
        return value

    found = foreign_parts(obj)
    if found is None:
        s.guard_members(type(obj))
    for name in hiding(obj):
        s.fail(f"a {type(obj).__name__} with an attribute '{name}' of its own, which hides that of its class",
               f"Make {name} a field of the class.")
    node = open_container(obj)
    keys = node.keys or range(len(node.items))
    match obj:
        case tuple():
            names = getattr(obj, "_fields", ())  # of a NamedTuple
            ways = map(path.attr, names) if len(names) == len(keys) > 0 else map(path.item, keys)
            return v.Tuple(tuple(map(item, node.items, ways)), type(obj))
        case list() | dict() | collections.deque():
            kind = next(cls for cls in PLAIN if isinstance(obj, cls))
            if type(obj) not in (*PLAIN, collections.OrderedDict):
                s.fail(f"a {type(obj).__name__}", f"Pass a plain {kind.__name__}: {PLAIN[kind]}.")
            return box([*map(item, node.items, map(path.item, keys))], class_of(obj), node.keys or (), kind.__name__)
    if not has_only_fields(obj):
        s.outside.partial.add(type(obj))
    ways = map(path.attr, keys) if found is None else map(path.way, found.ways)
    return box([static_field(s, x, way) if k in node.fixed else item(x, way)
                for k, x, way in zip(keys, node.items, ways)], class_of(obj), node.keys, v.OBJECT)


def static_field(s, obj, path):
    """A field of a dataclass that is part of its structure; of one from outside, the program holds while it stays."""
    if isinstance(path, Path):
        s.guard(path, obj)
    return v.Static(obj)


def path_of(s, obj) -> Path:
    """Where an outside object is found."""
    name = getattr(obj, "__name__", None) or type(obj).__name__
    return s.outside.paths.get(id(obj)) or Path(name, obj, None, "default")


def parameter_type(obj, name, fresh) -> Type:
    """The type of an argument: sizes are 1 or a name for the run time's length."""
    if isinstance(obj, np.ndarray):
        dims = []
        for k, n in enumerate(obj.shape):
            dims.append(Dim.of(1) if n == 1 else Dim.of(fresh(f"{name}_len{k or ''}")))
        return Type("array", obj.dtype, tuple(dims))
    if isinstance(obj, np.generic):
        return Type("np", obj.dtype)
    return Type("py", PYTHON_DTYPE[type(obj)])


def object_value(s, obj, text):
    return lift(s, obj, Path(text, obj, None, "default"), (id(obj),))
