"""Trees: containers in containers, with numbers, arrays or anything else as leaves.

Tuples, lists, deques, dicts, NamedTuples, dataclasses and registered classes are nodes; `None` and empty containers are
nodes without leaves.  The leaves of a dict come in the order of its sorted keys.  optree does the work, in the
namespace "gradscribe": what is registered there is a node here and nowhere else.  Inside transformed functions these
functions work on the specialiser's values (`specialise/builtins/tree_api.py`).
"""
from __future__ import annotations

import dataclasses
import types
from typing import Any, Callable

import optree

from .containers import REGISTERED, is_dataclass_value, of_fields, static_fields

NAMESPACE = "gradscribe"
Tree = Any
IsLeaf = Callable[[Any], bool] | None


class Missing:
    """The default of an argument that may be anything, None included."""

    def __repr__(self):
        return "MISSING"


MISSING = Missing()
_dataclasses: set[type] = set()


def register(cls: type, flatten: Callable[[Any], tuple], unflatten: Callable[[Any, tuple], Any]) -> type:
    """Make the objects of a class nodes of trees.

    Parameters
    ----------
    cls : type
        The class.
    flatten : callable
        Object -> (children, aux): a sequence of subtrees, and what else makes the object (hashable, compared by ==).
    unflatten : callable
        (aux, children) -> object.

    Returns
    -------
    type
        The class.

    Raises
    ------
    ValueError
        Where it is registered already.

    Notes
    -----
    Inside a transformed function an object is its attributes: there `unflatten` must store each child in an attribute
    of its own, and what is in the others must follow from `aux`.

    Examples
    --------
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
    """Return the leaves of a tree and its structure.

    Parameters
    ----------
    tree : any
        What is no node is a leaf.
    is_leaf : callable or None
        Says of a subtree whether it is to be taken as a leaf.

    Returns
    -------
    leaves : list
        In order.
    structure : PyTreeSpec
        What `unflatten(structure, leaves)` puts together again.

    Examples
    --------
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
    """Return the tree of this structure with these leaves.

    Parameters
    ----------
    treedef : PyTreeSpec
        What `structure` or `flatten` gave.
    leaves : iterable
        As many leaves, in order.

    Returns
    -------
    tree
        The tree.

    Raises
    ------
    ValueError
        Where their number is another.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.tree.unflatten(gs.tree.structure([0, (0, 0)]), "abc")
    ['a', ('b', 'c')]
    """
    return optree.tree_unflatten(treedef, leaves)


def leaves(tree: Tree, is_leaf: IsLeaf = None) -> list:
    """Return the leaves of a tree, in order.

    Parameters
    ----------
    tree : any
        What is no node is a leaf.
    is_leaf : callable or None
        Says of a subtree whether it is to be taken as a leaf.

    Returns
    -------
    list
        The leaves.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.tree.leaves({"w": [1.0, 2.0], "b": None, "a": 0.5})
    [0.5, 1.0, 2.0]
    """
    return flatten(tree, is_leaf)[0]


def structure(tree: Tree, is_leaf: IsLeaf = None) -> optree.PyTreeSpec:
    """Return the structure of a tree: equal for trees that differ in their leaves only.

    Parameters
    ----------
    tree : any
        What is no node is a leaf.
    is_leaf : callable or None
        Says of a subtree whether it is to be taken as a leaf.

    Returns
    -------
    PyTreeSpec
        The structure, optree's.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.tree.structure((1.0, [2.0])) == gs.tree.structure((3.0, [4.0]))
    True
    """
    return flatten(tree, is_leaf)[1]


def map(f: Callable, tree: Tree, *rest: Tree, is_leaf: IsLeaf = None) -> Tree:
    """Return the tree with f(leaf, ...) for each leaf.

    Parameters
    ----------
    f : callable
        Called with the leaf of `tree` and what stands at its place in each of `rest`.
    tree : tree
        Its structure is that of the result.
    *rest : tree
        Trees of the same structure, or of one that goes on below the leaves of `tree`.
    is_leaf : callable or None
        Says of a subtree of `tree` whether it is to be taken as a leaf.

    Returns
    -------
    tree
        What f gives, in the places of the leaves.

    Raises
    ------
    ValueError
        Where a structure does not fit.

    Examples
    --------
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
    """Fold the leaves from the first to the last: function(function(initializer, leaf_0), leaf_1) ....

    Parameters
    ----------
    function : callable
        (what was folded so far, leaf) -> what is folded with it.
    tree : tree
        Its leaves are folded.
    initializer : any
        What it starts from; where it is not given, the first leaf.
    is_leaf : callable or None
        Says of a subtree whether it is to be taken as a leaf.

    Returns
    -------
    any
        The last that the function gave.

    Raises
    ------
    TypeError
        Where the tree has no leaves, and no initializer is given.

    Examples
    --------
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
    """Return whether all leaves are true.

    Parameters
    ----------
    tree : tree
        Its leaves are asked.
    is_leaf : callable or None
        Says of a subtree whether it is to be taken as a leaf.

    Returns
    -------
    bool
        True also where there are no leaves.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.tree.all([True, {"a": 1.0}]), gs.tree.all((True, 0.0)), gs.tree.all(None)
    (True, False, True)
    """
    for leaf in leaves(tree, is_leaf):
        if not leaf:
            return False
    return True


def transpose(outer_treedef: optree.PyTreeSpec, inner_treedef: optree.PyTreeSpec | None, tree: Tree) -> Tree:
    """Turn a tree of trees inside out.

    Parameters
    ----------
    outer_treedef : PyTreeSpec
        The structure of the outside of `tree`.
    inner_treedef : PyTreeSpec or None
        That of each of its parts; None: of the first part.
    tree : tree
        Of structure outer over inner.

    Returns
    -------
    tree
        Of structure inner over outer.

    Raises
    ------
    ValueError
        Where the structures do not fit.

    Examples
    --------
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
