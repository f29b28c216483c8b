"""Trees: nests of containers with numbers, arrays or anything else as leaves.

Tuples, lists, dicts, NamedTuples, dataclasses and registered classes are nodes; `None` and empty containers are nodes
without leaves.  The leaves of a dict come in the order of its sorted keys.  optree does the work, in the namespace
"gradscribe": what is registered there is a node here and nowhere else.  Inside transformed functions these functions
work on the specialiser's values (`specialise/tree_api.py`).
"""
from __future__ import annotations

import abc
import collections
import dataclasses
import functools
import inspect
import sys
import types
import typing
from typing import Any, Callable

import numpy as np
import optree

from .capture import INSTALLED
from .errors import UnsupportedError

NAMESPACE = "gradscribe"
Tree = Any
IsLeaf = Callable[[Any], bool] | None


class Missing:
    """The default of an argument that may be anything, None included."""

    def __repr__(self):
        return "MISSING"


MISSING = Missing()
REGISTERED: dict[type, tuple[Callable, Callable]] = {}  # class -> (flatten, unflatten), as `register` was given them
_dataclasses: set[type] = set()


def is_dataclass_value(x) -> bool:
    return dataclasses.is_dataclass(x) and not isinstance(x, type)


def is_node(x) -> bool:
    """Is it a dataclass or of a registered class: a node whose children are attributes?"""
    return is_dataclass_value(x) or type(x) in REGISTERED


def is_object(x) -> bool:
    """Is it one whose attributes hold leaves where it is an argument?"""
    return is_node(x) or is_plain(x)


def is_plain(x) -> bool:
    """Is it an object of another class of the user's, with floats in its attributes or in what these hold?"""
    return is_plain_class(type(x)) and holds_floats(x)


@functools.cache
def is_plain_class(cls: type) -> bool:
    """Do the objects of a class have all that they hold in their `__dict__`, as Python looks for it?"""
    users = [c for c in cls.__mro__ if c not in (object, abc.ABC, typing.Generic, typing.Protocol)]
    slots = any(isinstance(x, types.MemberDescriptorType) for c in users for x in vars(c).values())
    return (not dataclasses.is_dataclass(cls) and cls not in REGISTERED and not slots
            and cls.__getattribute__ is object.__getattribute__ and not any([is_installed(c) for c in users]))


def is_installed(cls: type) -> bool:
    """Is a class Python's, a library's or ours?"""
    module = sys.modules.get(cls.__module__)
    return (cls.__module__.partition(".")[0] in ("builtins", "gradscribe")
            or (getattr(module, "__file__", None) or "").startswith(INSTALLED))


def holds_floats(x, around: tuple = ()) -> bool:
    """Is it an object with floats, complex numbers and arrays of them in its attributes, or in what these hold?"""
    def is_float(y):
        if isinstance(y, (tuple, list, dict)):
            return any([is_float(z) for z in (y.values() if isinstance(y, dict) else y)])
        return (isinstance(y, (float, complex)) or isinstance(y, (np.ndarray, np.generic)) and y.dtype.kind in "fc"
                or is_plain_class(type(y)) and id(y) not in around and holds_floats(y, (*around, id(y))))
    plain = isinstance(x, type) or inspect.isroutine(x) or inspect.ismodule(x)
    return type(x) in REGISTERED or not plain and any([is_float(y) for y in getattr(x, "__dict__", {}).values()])


_static: dict[type, frozenset[str]] = {}


def static_fields(cls: type) -> frozenset[str]:
    """The attributes of a class that are part of the structure.

    Of a dataclass its fields with metadata={"static": True}; of a registered class what its children are not, as it was
    found when `parts` first took an object apart.
    """
    if cls not in _static and cls not in REGISTERED:
        fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
        _static[cls] = frozenset(f.name for f in fields if f.metadata.get("static", False))
    return _static.get(cls, frozenset())


def static_attributes(x) -> frozenset[str]:
    """The attributes of an object that are part of the structure: of one that says nothing of them, ints and bools."""
    if is_node(x):
        return static_fields(type(x))
    return frozenset(name for name, value in vars(x).items() if type(value) in (int, bool))


class Child:
    """Stands for a child, to see where `unflatten` puts it."""

    def __init__(self, k: int):
        self.k = k


def parts(x) -> tuple[dict[str, Any], Any]:
    """({attribute: value} with those of the children first and in order, what else makes the object) of an object.

    Inside a transformed function an object is its attributes: the children of a registered class must be found among
    them.
    """
    cls = type(x)
    if is_plain_class(cls):
        return dict(vars(x)), (tuple(vars(x)), tuple(vars(x)[name] for name in vars(x) if name in static_attributes(x)))
    if cls not in REGISTERED:
        if cls.__getattribute__ is not object.__getattribute__:
            raise UnsupportedError(None, f"{cls.__name__} has a __getattribute__",
                                   instead="Write a __getattr__, which is asked for what is not found.")
        missing = [f.name for f in dataclasses.fields(x) if not hasattr(x, f.name)]
        if missing:
            raise UnsupportedError(None,
                f"a {cls.__name__} without the attribute '{missing[0]}', which is a field of it",
                instead="Let its __init__ store all fields.")
        values = {f.name: getattr(x, f.name) for f in dataclasses.fields(x)}
        return values, tuple(values[name] for name in sorted(static_fields(cls)))
    flatten, unflatten = REGISTERED[cls]
    children, aux = flatten(x)[:2]
    found = vars(unflatten(aux, [Child(k) for k in range(len(children))]))
    places = {value.k: name for name, value in found.items() if isinstance(value, Child)}
    fixed = frozenset(found) - frozenset(places.values())
    if len(places) != len(children) or _static.setdefault(cls, fixed) != fixed:
        raise UnsupportedError(None,
            f"a {cls.__name__} whose children are not attributes, each of its own and always the same",
                               instead="Let unflatten store each child in an attribute, or use a dataclass.")
    return {places[k]: child for k, child in enumerate(children)} | {name: found[name] for name in sorted(fixed)}, aux


def register(cls: type, flatten: Callable[[Any], tuple], unflatten: Callable[[Any, tuple], Any]) -> type:
    """Make the objects of a class nodes of trees.

    cls        the class
    flatten    object -> (children, aux): a sequence of subtrees, and what else makes the object (hashable, compared by
    ==) unflatten  (aux, children) -> object

    Returns the class.  Raises ValueError where it is registered already.  Inside a transformed function an object is
    its attributes:
    there `unflatten` must store each child in an attribute of its own, and what is in the others must follow from
    `aux`.

    >>> import gradscribe as gs
    >>> class Interval:
    ...     def __init__(self, low, high): self.low, self.high = low, high
    >>> _ = gs.tree.register(Interval, lambda i: ((i.low, i.high), None), lambda aux, ends: Interval(*ends))
    >>> gs.tree.leaves([Interval(1.0, 2.0), 3.0])
    [1.0, 2.0, 3.0]
    """
    optree.register_pytree_node(cls, flatten, unflatten, namespace=NAMESPACE)
    REGISTERED[cls] = (flatten, unflatten)
    return cls


register(types.SimpleNamespace, lambda x: (tuple(vars(x).values()), tuple(vars(x))),
         lambda names, values: types.SimpleNamespace(**dict(zip(names, values))))


def of_fields(cls: type, values: dict[str, Any]):
    """An object with these attributes.  Its __init__, and its descriptors, are for what users make:
    a tree's leaves may be anything."""
    made = cls() if cls is types.SimpleNamespace else object.__new__(cls)
    own = getattr(made, "__dict__", None)
    for name, value in values.items():
        if own is None or any(isinstance(vars(c).get(name), types.MemberDescriptorType) for c in cls.__mro__):
            object.__setattr__(made, name, value)
        else:
            own[name] = value
    return made


def made_of(cls: type, keys, items):
    """A container or an object with these items, made without a call of its class: see `of_fields`."""
    if issubclass(cls, tuple):
        return tuple.__new__(cls, items)
    if issubclass(cls, list):
        made = list.__new__(cls)
        list.extend(made, items)
        return made
    if cls is set:
        return set(items)
    if issubclass(cls, collections.deque):
        return collections.deque(items, getattr(cls, "most", None))
    if issubclass(cls, dict):
        base = collections.OrderedDict if issubclass(cls, collections.OrderedDict) else dict
        made = base.__new__(cls)
        for key, item in zip(keys, items):
            base.__setitem__(made, key, item)
        return made
    return of_fields(cls, dict(zip(keys, items)))


def only_stores(cls: type, keys) -> bool:
    """Does a call of a dataclass with these fields store them, and nothing else?"""
    if (not dataclasses.is_dataclass(cls) or type(cls) is not type or cls.__new__ is not object.__new__
            or cls.__setattr__ is not object.__setattr__):
        return False
    fields, code = dataclasses.fields(cls), getattr(vars(cls).get("__init__"), "__code__", None)
    if (code is None or code.co_filename != "<string>" or "__post_init__" in code.co_names
            or len(fields) != code.co_argcount + code.co_kwonlyargcount - 1):
        return False
    return {f.name for f in fields if f.init and _is_stored(cls, f.name)} == set(keys)


def _is_stored(cls: type, name: str) -> bool:
    """Does a store into an attribute go into the object itself?"""
    found = inspect.getattr_static(cls, name, None)
    return isinstance(found, types.MemberDescriptorType) or not hasattr(type(found), "__set__")


def _register_dataclass(cls: type) -> None:
    """The fields of a dataclass are children, but for its static ones."""
    fixed = sorted(static_fields(cls))
    children = [f.name for f in dataclasses.fields(cls) if f.name not in fixed]

    def flatten(x):
        return [getattr(x, name) for name in children], tuple(getattr(x, name) for name in fixed), tuple(children)

    def unflatten(aux, parts):
        return of_fields(cls, dict(zip([*children, *fixed], [*parts, *aux])))

    optree.register_pytree_node(cls, flatten, unflatten, namespace=NAMESPACE)
    _dataclasses.add(cls)


def flatten(tree: Tree, is_leaf: IsLeaf = None) -> tuple[list, optree.PyTreeSpec]:
    """The leaves of a tree and its structure.

    tree     any object; what is no node is a leaf
    is_leaf  of a subtree: is it to be taken as a leaf?

    Returns (leaves, structure), which `unflatten(structure, leaves)` puts together again.

    >>> import gradscribe as gs
    >>> leaves, structure = gs.tree.flatten({"b": 2.0, "a": (1.0, None)})
    >>> leaves
    [1.0, 2.0]
    >>> gs.tree.unflatten(structure, [10.0, 20.0])
    {'b': 20.0, 'a': (10.0, None)}
    """
    while True:
        found, spec = optree.tree_flatten(tree, is_leaf, namespace=NAMESPACE)
        new = {type(x) for x in found if is_dataclass_value(x)} - _dataclasses - REGISTERED.keys()
        if not new:
            return found, spec
        for cls in new:
            _register_dataclass(cls)


def unflatten(treedef: optree.PyTreeSpec, leaves) -> Tree:
    """The tree of this structure with these leaves.

    treedef  what `structure` or `flatten` gave
    leaves   as many leaves, in order

    Raises ValueError where their number is another.

    >>> import gradscribe as gs
    >>> gs.tree.unflatten(gs.tree.structure([0, (0, 0)]), "abc")
    ['a', ('b', 'c')]
    """
    return optree.tree_unflatten(treedef, leaves)


def leaves(tree: Tree, is_leaf: IsLeaf = None) -> list:
    """The leaves of a tree, in order.

    >>> import gradscribe as gs
    >>> gs.tree.leaves({"w": [1.0, 2.0], "b": None, "a": 0.5})
    [0.5, 1.0, 2.0]
    """
    return flatten(tree, is_leaf)[0]


def structure(tree: Tree, is_leaf: IsLeaf = None) -> optree.PyTreeSpec:
    """The structure of a tree: equal for trees that differ in their leaves only.

    >>> import gradscribe as gs
    >>> gs.tree.structure((1.0, [2.0])) == gs.tree.structure((3.0, [4.0]))
    True
    """
    return flatten(tree, is_leaf)[1]


def map(f: Callable, tree: Tree, *rest: Tree, is_leaf: IsLeaf = None) -> Tree:
    """The tree with f(leaf, ...) for each leaf.

    f     called with the leaf of `tree` and what stands at its place in each of `rest`
    tree  its structure is that of the result
    rest  trees of the same structure, or of one that goes on below the leaves of `tree`

    Raises ValueError where a structure does not fit.

    >>> import gradscribe as gs
    >>> gs.tree.map(lambda w, g: w - 0.1 * g, {"w": 1.0, "b": 2.0}, {"w": 10.0, "b": 0.0})
    {'w': 0.0, 'b': 2.0}
    """
    found, spec = flatten(tree, is_leaf)
    columns = [found]
    for other in rest:
        flatten(other)  # its dataclasses become known
        columns.append(spec.flatten_up_to(other))
    return unflatten(spec, [f(*row) for row in zip(*columns)])


def reduce(function: Callable, tree: Tree, initializer: Any = MISSING, is_leaf: IsLeaf = None) -> Any:
    """function(function(initializer, leaf_0), leaf_1) ...: the leaves folded from the first to the last.

    Without an initializer it starts from the first leaf; a tree without leaves then raises TypeError.

    >>> import gradscribe as gs
    >>> gs.tree.reduce(lambda total, x: total + x, {"a": 1.0, "b": (2.0, 3.0)}, 0.0)
    6.0
    """
    found = leaves(tree, is_leaf)
    if initializer is MISSING:
        if not found:
            raise TypeError("reduce() of a tree without leaves and with no initializer")
        initializer, *found = found
    for leaf in found:
        initializer = function(initializer, leaf)
    return initializer


def all(tree: Tree, is_leaf: IsLeaf = None) -> bool:
    """Are all leaves true?  Of no leaves: True.

    >>> import gradscribe as gs
    >>> gs.tree.all([True, {"a": 1.0}]), gs.tree.all((True, 0.0)), gs.tree.all(None)
    (True, False, True)
    """
    for leaf in leaves(tree, is_leaf):
        if not leaf:
            return False
    return True


def transpose(outer_treedef: optree.PyTreeSpec, inner_treedef: optree.PyTreeSpec | None, tree: Tree) -> Tree:
    """A tree of trees, inside out.

    outer_treedef  the structure of the outside of `tree`
    inner_treedef  that of each of its parts; None: of the first part
    tree           of structure outer over inner

    Returns a tree of structure inner over outer.  Raises ValueError where the structures do not fit.

    >>> import gradscribe as gs
    >>> pairs = {"a": (1.0, 2.0), "b": (3.0, 4.0)}
    >>> gs.tree.transpose(gs.tree.structure({"a": 0, "b": 0}), gs.tree.structure((0, 0)), pairs)
    ({'a': 1.0, 'b': 3.0}, {'a': 2.0, 'b': 4.0})
    """
    flatten(tree)
    parts = outer_treedef.flatten_up_to(tree)
    inner = inner_treedef if inner_treedef is not None else structure(parts[0])
    rows = [inner.flatten_up_to(part) for part in parts]
    return unflatten(inner, [unflatten(outer_treedef, column) for column in zip(*rows)] if rows else
                     [unflatten(outer_treedef, ())] * inner.num_leaves)


__all__ = ["all", "flatten", "leaves", "map", "reduce", "register", "structure", "transpose", "unflatten"]
