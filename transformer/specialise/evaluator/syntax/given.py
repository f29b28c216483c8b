"""Lists of equal items that the caller gives: rows of arrays stand for them, until one is needed as a list."""
from __future__ import annotations

from ....core.types import PY_FLOAT
from ....pytree.rows import Stack, are_alike, path_to, pays, rows_of, structure_of, text_of
from ...domain import values as v
from ...domain.growing_lists import of_rows
from ...domain.plans import Plan, Way, rolled

A_LIST = "list:"  # begins the keys of those that are written out
TAKING = {"jit", "grad", "value_and_grad", "primal"}  # the transformations that treat all numbers of a leaf alike


def takes_rows(fun) -> bool:
    """Can rows stand for lists of the arguments of a transformed function?"""
    titles = set()
    while hasattr(fun, "title"):
        titles.add(fun.title)
        fun = fun.__wrapped__
    return titles <= TAKING


def in_rows(s, items, text: str, name) -> v.Boxed | None:
    """The value of a list that a caller writes `text`, if rows can stand for it; `name(keys)`: what is under these keys
    in an item."""
    key = Plan(Way.WRITTEN_OUT, f"{A_LIST}{text}")
    if not (s.rows.allowed and type(items) is list and key not in s.static_paths and are_alike(items)):
        return None
    columns: list[list] = [[] for _ in items]
    one = [structure_of(x, leaves) for x, leaves in zip(items, columns)][0]
    first, each = s.leaf_count, len(columns[0])
    if not (pays(items) or rolled(key) in s.static_paths):
        s.rows.possible[tuple(range(first, first + len(items) * each))] = key
        return None
    s.leaf_count += len(items) * each
    rows = []
    for k, column in enumerate(zip(*columns)):
        keys, is_float = path_to(one, k), type(column[0]) is float
        source = Stack(tuple(range(first + k, s.leaf_count, each)), text, text_of(keys, is_float))
        rows.append(s.parameter(rows_of(column), f"{name(keys)}_rows", source))
    types = tuple([PY_FLOAT if type(x) is float else s.type(row).with_dims(s.type(row).dims[1:])
                   for x, row in zip(columns[0], rows)])
    s.rows.lists.add(key)

    def instead():
        raise v.Restart(frozenset({key}))

    return of_rows(s, one, types, rows, instead, given=True)
