"""Python's built-in functions over containers, iterators and classes; the numeric ones are in `math_api`."""
from __future__ import annotations

import functools
import itertools
import operator
import types as pytypes
from collections import OrderedDict, deque

import gast

from ...core import Const
from ...core.types import Dim
from ...library.ranges import (are_all, at_places, foremost, is_any, largest, listed, mapped_by, order_of, smallest,
                               summed)
from ...library.registry import each, frontend
from ...library.streams import STREAMS
from ...rules import OPS
from ..domain import values as v
from ..domain.classes import (MISSING, classes_of, is_library_class, is_stand_in, look_up, public_class,
                              refuse_stand_in, the_one_class, type_of_value)
from ..domain.growing_lists import form_of, grown, item_parts, leaf_at, of_rows, rows_of_numbers, structured_value
from ..evaluator.flow.control import choose, decide
from ..evaluator.names.tables import call_value
from ..evaluator.objects.attributes import attribute
from ..evaluator.objects.containers import by_python, is_list, python, python_container, python_of, sampled, value_of
from ..evaluator.objects.drawing import drawn
from ..evaluator.objects.iteration import (END, NONE, advance, as_int, backwards, caught, each_item, is_iterator,
                                           iterate_static, iterator, length, sequence)
from ..evaluator.objects.objects import where_set
from ..evaluator.objects.texts import text_parts
from ..evaluator.objects.truths import FALSE, TRUE, as_bool, both_true, either_true, negate, truth
from ..evaluator.syntax.expressions import COMPARE, MEMBER, made_set
from ..evaluator.syntax.generators import of_nothing
from ..evaluator.syntax.indexing import delete_item, get_at, set_item
from ..evaluator.syntax.operators import BINARY, binary_op, compare_values, contained, identical, unary_op
from ..evaluator.syntax.statements import in_place
from ..evaluator.syntax.yielding import source, user_iterator
from .telling_api import write_to_stream

# sequences and iterators ---------------------------------------------------------------------


@frontend(range)
def range_(s, *bounds):
    ints = [as_int(s, x) for x in bounds]
    if len(ints) not in (1, 2, 3) or all([isinstance(x, v.Static) for x in ints]):
        return by_python(s, range, *ints)
    start, stop, step = (v.Static(0), *ints, v.Static(1))[:3] if len(ints) == 1 else (*ints, v.Static(1))[:3]
    if step == v.Static(0):
        s.stop("ValueError", "range() arg 3 must not be zero")
    if not isinstance(step, v.Static):
        ok = s.elementwise("not_equal", step, v.Static(0))
        s.require(s.atom(ok), "ValueError", "range() arg 3 must not be zero")
    return v.Iter("range", (start, stop, step))


@frontend(next)
def next_(s, it, default=None):
    item = advance(s, it, s.drawn_for)
    if item is END and default is None:
        by_python(s, next, v.Static(iter(())))
    return default if item is END else item


@frontend(zip)
def zip_(s, *parts, strict=v.Static(False)):
    return s.box((v.Static(s.static(truth(s, strict), "it decides whether zip() is strict")),
                  *(iterator(s, x) for x in parts)), zip, hint="it")


@frontend(enumerate)
def enumerate_(s, iterable, start=v.Static(0)):
    count = as_int(s, start)
    return s.box((v.Static(int(count.value)) if isinstance(count, v.Static) else count, iterator(s, iterable)),
                 enumerate, hint="it")


frontend(map)(lambda s, f, first, *rest: s.box((f, *(iterator(s, x) for x in (first, *rest))), map, hint="it"))
frontend(filter)(lambda s, f, x: s.box((f, iterator(s, x)), filter, hint="it"))


def items_drawn(s, x) -> tuple:
    """(what items are drawn from, how many): None where that is known now, END where only a generator's end tells."""
    x = user_iterator(s, x)
    if source(s, x) is not None:
        return x, END
    it = (drawn(s, x) if is_iterator(x) else None if isinstance(x, v.Array) and not s.type(x).rank
          else sequence(s, x))
    return x, None if it is None or isinstance(it.count, v.Static) else s.b.dim(s.atom(it.count))


@each({max: (max, "greater", largest), min: (min, "less", smallest)})
def extremum(row, s, *args, key=NONE, default=None):
    function, better, of_generator = row
    if not args or len(args) > 1 and default is not None:
        by_python(s, functools.partial(function, default=0) if args else function, *args)
    if len(args) > 1:
        return best_of(s, better, args, key)
    x, count = items_drawn(s, *args)
    if count is END and key == NONE:
        return call_value(s, of_generator, [x], {} if default is None else {"default": default})
    if isinstance(count, Dim):
        return extremum_of_many(s, function, better, x, count, key, default)
    best = best_of(s, better, each_item(s, x, f"{function.__name__} runs over it"), key)
    return best if best is not END else default if default is not None else by_python(s, function, v.Tuple(()))


def best_of(s, better, items, key):
    """The largest or smallest of items that come one by one; END where there is none."""
    best, keyed = END, (lambda x: x) if key == NONE else (lambda x: x.items[1])
    for x in items:
        row = x if key == NONE else v.Tuple((x, call_value(s, key, [x], {})))
        best = row if best is END else decide(s, truth(s, compare_values(s, better, keyed(row), keyed(best))),
                                              lambda: row, lambda: best)
    return best if key == NONE or best is END else best.items[0]


def extremum_of_many(s, function, better, x, count, key, default):
    """The largest or smallest of as many items as the run decides."""
    items = x if isinstance(x, v.Array) or is_list(x) or v.is_range(x) else call_value(s, listed, [x], {})
    found = lambda: call_value(s, foremost, [items, key, v.Static(OPS[better].fn)], {})  # noqa: E731
    if default is not None:
        return choose(s, s.emit("greater_equal", s.dim_atom(count), Const(1), hint="some"), found, lambda: default)
    s.ensure(count, ">=", 1, "ValueError", of_nothing(function))
    return found()


@frontend(sum)
def sum_(s, iterable, start=v.Static(0)):
    if type_of_value(s, start) is str:
        by_python(s, sum, v.Tuple(()), start)
    iterable, count = items_drawn(s, iterable)
    if count is None:
        items = each_item(s, iterable, "sum runs over it")
        return functools.reduce(functools.partial(binary_op, s, "add"), items, start)
    added = lambda: call_value(s, summed, [iterable, start], {})  # noqa: E731
    some = count is END or s.presume(count, ">=", 1)
    if some is not None:  # of nothing it is `start`, which may have another type
        return added() if some else start
    return choose(s, s.emit("greater_equal", s.dim_atom(count), Const(1), hint="some"), added, lambda: start)


@each({all: (are_all, both_true, TRUE), any: (is_any, either_true, FALSE)})
def of_all_truths(row, s, x):
    at_run_time, join, at_the_end = row
    x, count = items_drawn(s, x)
    if count is not None:
        return call_value(s, at_run_time, [x], {})
    it = iterator(s, x)

    def joined():
        item = advance(s, it, "all or any runs over it")
        return at_the_end if item is END else join(s, as_bool(s, truth(s, item)), joined)

    return joined()


@frontend(tuple)
def tuple_(s, x=v.Tuple(())):
    if isinstance(x, v.Tuple) and x.cls is tuple:
        return x
    return v.Tuple(tuple(iterate_static(s, x, "a tuple is made of it")))


@frontend(list)
def list_(s, x=v.Tuple(())):
    x, count = items_drawn(s, x)
    return s.box(iterate_static(s, x, "a list is made of it")) if count is None else call_value(s, listed, [x], {})


@frontend(set)
def builtin_set(s, x=v.Tuple(())):
    return made_set(s, [s.static(i, MEMBER) for i in iterate_static(s, x, "a set is made of it")])


@frontend(deque)
def deque_(s, iterable=v.Tuple(()), maxlen=NONE):
    items = [python_of(s, x) for x in iterate_static(s, iterable, "a deque is made of it")]
    return value_of(s, python(s, deque, items, s.static(maxlen, "it says how many items a deque holds")))


@each({cls: cls for cls in (dict, OrderedDict)})
def dict_of_class(cls, s, /, *args, **kwargs):
    return value_of(s, python(s, cls, *[python_container(s, x) for x in args],
                              **{k: python_of(s, x) for k, x in kwargs.items()}))


# order -----------------------------------------------------------------------------------------
@frontend(sorted)
def sorted_(s, iterable, *, key=NONE, reverse=v.Static(False)):
    """By Python where it is known how the items compare, else at run time."""
    python(s, sorted, (), reverse=sampled(s, reverse))  # is it what this Python takes?
    (iterable, count), reverse = items_drawn(s, s.listed(iterable)), truth(s, reverse)
    if count is not None:
        return many_in_order(s, iterable, key, reverse)
    items = iterate_static(s, iterable, "it is sorted")
    keys = items if key == NONE else [call_value(s, key, [x], {}) for x in items]
    if (columns := columns_of(s, keys)) is not None:
        return s.box(ordered_at_run_time(s, items, columns, reverse))
    stand_ins, back = [python_of(s, k) for k in keys], s.static(reverse, "it decides an order")
    order = python(s, sorted, range(len(items)), key=stand_ins.__getitem__, reverse=back)
    return s.box([items[k] for k in order])


def many_in_order(s, iterable, key, reverse):
    """As many items as the run decides, sorted."""
    stays = isinstance(iterable, v.Array) or is_list(iterable) and grown(s, iterable) is not None
    items = iterable if stays else call_value(s, listed, [iterable], {})
    keys = rows_of_numbers(s, items if key == NONE else call_value(s, mapped_by, [key, items], {}))
    if keys is None or not in_sequences(keys[0]) or any([t.dtype.kind == "c" for t in keys[1]]):
        s.fail("sorting of as many items as the run decides, which are not numbers of one type, or tuples of them",
               "Sort by a number, sorted(items, key=...), or arrays by np.lexsort.")
    order = call_value(s, order_of, [v.Tuple(tuple(keys[2])), as_bool(s, reverse)], {})
    s.permutations.add(s.read(order))
    rows = rows_of_numbers(s, items)
    return call_value(s, at_places, [items, order], {}) if rows is None else of_rows(
        s, *rows[:2], [get_at(s, row, order) for row in rows[2]])


def in_sequences(one) -> bool:
    """Do items of this structure compare as what is in them does, one after the other?"""
    return one[0] in ("leaf", "static") or one[0] in (tuple, list) and all(map(in_sequences, one[2]))


def columns_of(s, keys) -> tuple | None:
    """What stands at each place of keys that are numbers or sequences of them; None where Python knows the order."""
    try:
        one, types = form_of(s, keys)
    except v.Grows:
        return None
    rows = [item_parts(s, k)[1] for k in keys]
    of_run = lambda x: isinstance(getattr(x, "atom", None), str) and s.b.known.sources(x.atom)  # noqa: E731
    known = [*itertools.takewhile(lambda column: not any(map(of_run, column)), zip(*rows))]
    leading = {tuple([s.static(x, "") for x in row[:len(known)]]) for row in rows}
    if (not in_sequences(one) or any([t.dims for t in types]) or len(known) == len(types)
            or len(leading) == len(rows)):
        return None
    if any([t.kind in ("mixed", "either") for t in types]):
        s.fail("numbers of different types in an order that only the run time knows",
               "Make them all floats, or sort an array: np.sort(np.array(x)).")
    return tuple([s.array_of(v.Tuple(column)) for column in zip(*rows)])


def ordered_at_run_time(s, items, columns, reverse) -> list:
    """What has numbers, or sequences of them, as keys, in an order that only the run time knows: rows of arrays."""
    try:
        structure, types = form_of(s, items)
    except v.Grows:
        types = None
    if types is None or any([t.kind == "mixed" for t in types]):
        s.fail("items of different kinds in an order that only the run time knows",
               "Give them all the same structure and types.")
    leaves = [item_parts(s, i)[1] for i in items]
    s.refuse_several([x.atom for own in leaves for x in own if isinstance(x, v.Number)])
    order = s.atom(call_value(s, order_of, [v.Tuple(columns), as_bool(s, reverse)], {}))
    rows = [s.atom(s.array_of(v.Tuple(row))) for row in zip(*leaves)]
    places = [s.emit("int", s.emit("getitem", order, Const(k), index=("i",))) for k in range(len(items))]
    return [structured_value(s, structure, [leaf_at(s, row, at, t, "t") for row, t in zip(rows, types)])
            for at in places]


# classes and attributes ------------------------------------------------------------------------
@frontend(isinstance)
def isinstance_(s, x, cls):
    wanted = s.static(cls, "it is a class")
    found = python(s, isinstance, x.value if isinstance(x, v.Static) else None, wanted)
    if isinstance(x, v.Static):
        return v.Static(found)
    for c in wanted if isinstance(wanted, tuple) else [wanted]:
        if not is_stand_in(c) and not hasattr(getattr(x, "cls", None), "stands_for"):
            refuse_stand_in(s, x)
        if getattr(c, "_is_protocol", False) or isinstance(getattr(type(c), "__instancecheck__", None),
                                                           pytypes.FunctionType) and not is_library_class(type(c)):
            s.fail(f"isinstance of {c.__name__}, which looks at the object", "Test for a class.")
    return v.Static(the_one_class(s, x, [issubclass(c, wanted) or issubclass(getattr(c, "stands_for", c), wanted)
                                         for c in classes_of(s, x)]))


@frontend(type)
def type_(s, x):
    refuse_stand_in(s, x)
    return v.Static(public_class(the_one_class(s, x, classes_of(s, x))))


@frontend(callable)
def callable_(s, x):
    known = (isinstance(x, (v.Closure, v.BoundMethod, v.Pullback, v.Derived, v.Partial))
             or isinstance(x, v.Static) and callable(x.value))
    return v.Static(known or isinstance(x, (v.Tuple, v.Boxed)) and look_up(x.cls, "__call__")[0] is not MISSING)


@frontend(getattr)
def getattr_(s, x, name, default=None):
    known = s.static(name, "it is the name of an attribute")
    found = functools.partial(attribute, s, x, known)
    or_else = lambda: default if (y := caught(s, AttributeError, found)) is END else y  # noqa: E731
    return where_set(s, x, known, found if default is None else or_else)


@frontend(hasattr)
def hasattr_(s, x, name):
    known = s.static(name, "it is the name of an attribute")
    found = functools.partial(attribute, s, x, known)
    return where_set(s, x, known, lambda: v.Static(caught(s, AttributeError, found) is not END))


# operators as functions, and functions of what is known ----------------------------------------
each({OPS[name].fn: name for name in BINARY.values()})(lambda name, s, a, b: binary_op(s, name, a, b))
each({getattr(operator, "i" + OPS[name].fn.__name__.rstrip("_")): name
      for name in BINARY.values()})(lambda name, s, a, b: in_place(s, name, a, b))
each({OPS[name].fn: name for name in COMPARE.values()})(lambda name, s, a, b: compare_values(s, name, a, b))
each({operator.neg: "negative", operator.pos: "positive", operator.invert: "invert"})(lambda name, s, a:
                                                                                      unary_op(s, name, a))
for _function, _handler in {
        frozenset: lambda s, x=v.Tuple(()): by_python(s, frozenset, s.listed(x)), len: length, iter: iterator,
        reversed: backwards, operator.index: as_int, operator.truth: lambda s, x: as_bool(s, truth(s, x)),
        operator.not_: negate, operator.is_: identical, operator.is_not: lambda s, x, y: negate(s, identical(s, x, y)),
        operator.contains: lambda s, x, k: as_bool(s, contained(s, k, x)), operator.getitem: get_at,
        operator.delitem: lambda s, x, k: delete_item(s, x, k) or NONE,
        operator.setitem: lambda s, x, k, value: set_item(s, x, k, value) or NONE}.items():
    frontend(_function)(_handler)


@each({f: f for f in (ascii, bin, bytes.maketrans, chr, hex, oct, ord, issubclass, str.maketrans,
                     operator.itemgetter, operator.attrgetter)})
def of_known(function, s, *args, **kwargs):
    """A function of Python whose arguments must be known."""
    return by_python(s, functools.partial(function,
        **{k: s.static(x, "Python computes with it") for k, x in kwargs.items()}), *args)


# str shows a float32 as one, format does not
@each({c: (c, how) for c, how in ((repr, "!r"), (str, "!s"), (format, ""))})
def shown_value(of, s, x=v.Static(""), spec=v.Static("")):
    cls, conversion = of
    source = gast.unparse(s.node.args[0]).strip() if isinstance(s.node, gast.Call) and s.node.args else "value"
    if type_of_value(s, spec) is not str:
        by_python(s, cls, x, spec)
    return v.text(text_parts(s, x, conversion, s.static(spec, "it is a format"), source))


@frontend(print)
def print_(s, *args, sep=v.Static(" "), end=v.Static("\n"), file=NONE, flush=v.Static(False)):
    """An effect of the program that is written: each call prints when it is reached, as in the user's function."""
    parts: list = []
    for k, x in enumerate(args):
        parts += [s.static(sep, "it separates what is printed")] * (k > 0) + text_parts(s, x, "!s", "", "")
    stream = s.static(file, "it is what is printed to")
    if stream is not None and stream is not STREAMS["stdout"]:
        if stream is not STREAMS["stderr"]:
            s.fail(f"print to {s.describe(file)}", "Print to sys.stdout or sys.stderr.")
        return write_to_stream(s, file, v.text([*parts, s.static(end, "it ends what is printed")])) and NONE
    shown = v.RunTimeText(tuple(parts))
    s.emit("print", *map(s.atom, shown.values), text=shown.template, end=s.static(end, "it ends what is printed"))
    return NONE


@frontend(breakpoint)
def breakpoint_(s):
    """An effect as print is: the debugger stops in the readable source."""
    if s.compiled:
        s.fail("breakpoint() in a compiled function", "Call the function without jit.")
    s.emit("breakpoint")
    return NONE


@frontend(slice)
def builtin_slice(s, *bounds):
    start, stop, step = (*(bounds if len(bounds) > 1 else (NONE, *bounds)), NONE)[:3]
    return v.Tuple((start, stop, step), slice)
