"""Operations on a value that may be None, or one of several functions:
done on each side of a branch that asks which it is."""
from __future__ import annotations

import functools
from dataclasses import replace

from ....core import Const, Meanwhile
from ....errors.messages import UnsupportedError
from ...domain import values as v
from ...domain.lattice import has_forms
from ...domain.values import NONE
from .control import choose

REFUSED = "this value is None here, of which the program cannot do what is done"


KEYED = {"get_at", "set_item", "delete_item", "contained", "length", "get", "setdefault", "pop"}


def on_sides(operation, none=True, keys=True, index=None):
    """An operation that is done on both sides of a branch where an operand is of two kinds, or is a dict that may have
    a key or not, so that Python says what it is of None; `none`: else it is for the operation to say that; `keys`: does
    it matter to it which keys there are?  `index`: which argument is an index, whose parts may be of two kinds, too."""
    @functools.wraps(operation)
    def on_each(s, /, *args, **named):
        for x in args if keys else ():
            if (box := uncertain(s, x)) is not None:
                return by_key(s, box, lambda: on_each(s, *args, **named))
            if type(x) is v.Boxed and type(s.keys(x)) is v.Unordered and not KEYED.isdisjoint(
                    (operation.__name__, *[a for a in args if isinstance(a, str)])):
                with Meanwhile(s, "by_key", x.box):
                    return operation(s, *args, **named)
        if v.OneOf not in map(type, args) and index is None:
            return operation(s, *args, **named)
        found = two_kinds_among(args, none, index)
        if found is None:
            return operation(s, *args, **named)
        x, args_of = found
        return divided(s, x, lambda y: on_each(s, *args_of(y), **named))
    return on_each


def two_kinds_among(args, none: bool, index: int | None):
    """The first argument of two kinds, or part of the index of two kinds, and what makes the arguments of another."""
    k = next((k for k, x in enumerate(args) if type(x) is v.OneOf and (none or not x.optional)), None)
    if k is not None:
        return args[k], lambda y: (*args[:k], y, *args[k + 1:])
    if index is None or (found := part_of_two_kinds(args[index])) is None:
        return None
    x, index_of = found
    return x, lambda y: (*args[:index], index_of(y), *args[index + 1:])


def part_of_two_kinds(index):
    """The first part of two kinds in a slice or in an index of several parts, and what makes the index of another."""
    for k, part in enumerate(index.items if type(index) is v.Tuple else ()):
        found = (part, lambda y: y) if has_forms(part) else part_of_two_kinds(part)
        if found is not None:
            x, part_of = found
            return x, lambda y: replace(index, items=(*index.items[:k], part_of(y), *index.items[k + 1:]))
    return None


on_kinds, on_values = functools.partial(on_sides, none=False), functools.partial(on_sides, keys=False)
at_index, store_at_index = functools.partial(on_sides, index=1), functools.partial(on_sides, none=False, index=1)


def uncertain(s, x):
    """A dict, or that of a view, which has a key on some paths only."""
    if type(x) is v.Iter and x.parts:
        return uncertain(s, x.parts[0])
    is_dict = type(x) is v.Boxed and x.box.hint != v.OBJECT and s.heap.get((x.box, v.KEYS), ()) != ()
    content = s.heap[x.box, None] if is_dict else ()
    return x if isinstance(content, tuple) and any(map(v.is_uncertain, content)) else None


def by_key(s, box, action, live=None):
    """`action` on the paths on which a dict has the first key of which that is uncertain, and on those where not."""
    content, keys = s.heap[box.box, None], s.keys(box)
    k = next(k for k, item in enumerate(content) if v.is_uncertain(item))

    def with_items(items, own):
        s.heap[box.box, None], s.heap[box.box, v.KEYS] = items, own
        return action()

    there = functools.partial(with_items, (*content[:k], content[k].value, *content[k + 1:]), keys)
    gone = functools.partial(with_items, content[:k] + content[k + 1:], type(keys)(keys[:k] + keys[k + 1:]))
    flag = content[k].flag
    if flag in s.sight.known_true | s.sight.known_false:
        return there() if flag in s.sight.known_true else gone()
    return choose(s, flag, there, gone, live)


def divided(s, x, action):
    """`action` of each of the two values that x may be."""
    if not x.optional:
        if x.flag in s.sight.known_true | s.sight.known_false:
            return action(x.value if x.flag in s.sight.known_true else x.other)
        return choose(s, x.flag, lambda: action(x.value), lambda: action(x.other))
    if s.is_there(x) or x.other != NONE:
        return action(s.present(x))
    return action(NONE) if x.flag == Const(False) else choose(s, x.flag, lambda: action(x.value),
                                                              lambda: tried_of_none(s, action))


def settled_value(s, x, of_none):
    """The value itself of what may be None, where `of_none` of None raises."""
    if isinstance(x, v.OneOf) and x.other == NONE and not s.is_there(x):
        choose(s, x.flag, lambda: NONE, lambda: (tried_of_none(s, of_none), s.stop("RefusedValue", REFUSED)))
    return s.present(x)


def tried_of_none(s, action):
    """What Python makes of None; where that is refused, it is refused when the program comes to it."""
    try:
        return action(NONE)
    except UnsupportedError:
        s.stop("RefusedValue", REFUSED)
