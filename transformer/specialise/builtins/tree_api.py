"""`gs.tree` inside transformed functions.

A value's *skeleton* is a Python tree of the same structure whose leaves are places in a list of values; what
`transformer.tree` makes of the skeleton is then filled with values again.

    value {"a": (x, None)}        skeleton {"a": (LeafNumber(0), None)}, [x]
"""
from __future__ import annotations

import dataclasses
import functools
import itertools

from ...library.ranges import mapped_over, reduced_over
from ...library.registry import frontend
from ...pytree import user_tree as tree
from ...pytree.containers import REGISTERED, is_container, made_of, static_fields
from ..domain import values as v
from ..domain.classes import deque
from ..domain.growing_lists import grown
from ..evaluator.names.lifting import build
from ..evaluator.names.tables import call_value
from ..evaluator.objects.iteration import NONE, iterate_static
from ..evaluator.syntax.calls import call_function

SPEC = "it is the structure of a tree"


class LeafNumber:
    """A leaf of a skeleton: which of the values stands here.  (No dataclass: those are nodes.)"""

    def __init__(self, k: int):
        self.k = k


def skeleton(s, value, found: list, rows=False):
    """The skeleton of a value; its leaves are appended to `found`; `rows`: lists for which rows stand are
    leaves, too."""
    if rows and is_in_rows(s, value):
        found.append(value)
        return LeafNumber(len(found) - 1)
    match value:
        case v.Static(value=None):
            return None
        case v.Static(value=obj) if is_container(obj):
            return skeleton(s, build(s, obj, lambda x, path: v.Static(x)), found, rows)
        case v.Tuple(items=items, cls=c) if c is not slice:
            return made_of(c, None, [skeleton(s, i, found, rows) for i in items])
        case v.Boxed(cls=c) if issubclass(c, (list, dict, deque)) or dataclasses.is_dataclass(c) or c in REGISTERED:
            keys, fixed = s.keys(value), static_fields(c)
            return made_of(c, keys, [s.static(i, "it is a static field") if k in fixed else skeleton(s, i, found, rows)
                                     for k, i in zip(keys or itertools.count(), s.items(value))])
        case v.OneOf(optional=True):
            return skeleton(s, s.present(value), found, rows)
    found.append(value)
    return LeafNumber(len(found) - 1)


def is_in_rows(s, value) -> bool:
    g = grown(s, value) if isinstance(value, v.Boxed) else None
    return g is not None and not (g.counted or g.mixed or s.rows.several)


def filled_skeleton(s, python, found: list):
    """The value of a skeleton."""
    return build(s, python, lambda x, path: found[x.k] if isinstance(x, LeafNumber) else v.Static(x))


def opened(s, value, is_leaf=NONE, found: list | None = None, rows=False):
    """(the values at the leaves in order, structure, all values by place)"""
    found = [] if found is None else found
    python = skeleton(s, value, found, rows)
    test = None if is_leaf == NONE else lambda part: s.static(call_value(s, is_leaf, [filled_skeleton(s, part, found)],
                                                                         {}),
                                                              "it decides what is a leaf")
    parts, spec = tree.flatten(python, test)
    return [filled_skeleton(s, part, found) for part in parts], spec, found


def tree_put_together(s, spec, leaves):
    """The value of this structure with these leaves."""
    if len(leaves) != spec.num_leaves:
        s.stop("ValueError", f"{len(leaves)} leaves for a structure that has {spec.num_leaves}")
    return filled_skeleton(s, tree.unflatten(spec, [LeafNumber(k) for k in range(len(leaves))]), list(leaves))


def under(s, spec, value, rows=False) -> list:
    """The parts of a value at the leaves of a structure."""
    found: list = []
    python = skeleton(s, value, found, rows)
    tree.flatten(python)
    try:
        parts = spec.flatten_up_to(python)
    except ValueError as error:
        if rows:  # a list for which rows stand, where the other has its items
            return under(s, spec, value)
        s.stop("ValueError", str(error).splitlines()[0])
    return [filled_skeleton(s, part, found) for part in parts]


@frontend(tree.flatten)
def tree_flatten(s, tree, is_leaf=NONE):
    leaves, spec, _ = opened(s, tree, is_leaf)
    return v.Tuple((s.box(leaves), v.Static(spec)))


frontend(tree.leaves)(lambda s, tree, is_leaf=NONE: s.box(opened(s, tree, is_leaf)[0]))
frontend(tree.structure)(lambda s, tree, is_leaf=NONE: v.Static(opened(s, tree, is_leaf)[1]))


@frontend(tree.unflatten)
def tree_unflatten(s, treedef, leaves):
    return tree_put_together(s, s.static(treedef, SPEC), iterate_static(s, leaves, "they are the leaves of a tree"))


@frontend(tree.map)
def tree_map(s, f, tree, *rest, is_leaf=NONE):
    leaves, spec, _ = opened(s, tree, is_leaf, rows=is_leaf == NONE)
    columns = [leaves, *(under(s, spec, other, rows=is_leaf == NONE) for other in rest)]
    return tree_put_together(s, spec, [tree_of_each(s, f, row) for row in zip(*columns)])


def tree_of_each(s, f, row):
    """f of leaves at one place; of lists for which rows stand a list, made in a loop over them."""
    if not is_in_rows(s, row[0]):
        return call_value(s, f, list(row), {})
    first = grown(s, row[0])
    if not all([is_in_rows(s, x) and (grown(s, x).one, grown(s, x).length) == (first.one, first.length) for x in row]):
        first.instead()
    return call_function(s, mapped_over, [f, *row], {})


@frontend(tree.reduce)
def tree_reduce(s, function, tree, initializer=None, is_leaf=NONE):
    rows = is_leaf == NONE and initializer is not None
    found = [*([] if initializer is None else [initializer]), *opened(s, tree, is_leaf, rows=rows)[0]]
    if not found:
        s.stop("TypeError", "reduce() of a tree without leaves and with no initializer")
    return functools.reduce(lambda a, b: call_function(s, reduced_over, [function, b, a], {}) if is_in_rows(s, b)
                            else call_value(s, function, [a, b], {}), found)


@frontend(tree.transpose)
def tree_transpose(s, outer_treedef, inner_treedef, tree):
    outer, inner = (s.static(x, SPEC) for x in (outer_treedef, inner_treedef))
    parts = under(s, outer, tree)
    inner = inner if inner is not None else opened(s, parts[0])[1]
    rows = [under(s, inner, part) for part in parts]
    columns = zip(*rows) if rows else [()] * inner.num_leaves
    return tree_put_together(s, inner, [tree_put_together(s, outer, column) for column in columns])
