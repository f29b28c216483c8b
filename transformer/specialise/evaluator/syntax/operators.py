"""What operators do: arithmetic, comparison, identity and `in`."""
from __future__ import annotations

import enum
import operator

import numpy as np

from ....core import Const
from ....core.types import PY_BOOL
from ....library.containers import is_under
from ....library.indexes import TAKE, is_index
from ....library.ranges import in_range
from ....library.texts import percent
from ....rules.registry import OPS
from ...domain import values as v
from ...domain.classes import as_builtin, deque, is_set
from ...domain.loop_headers import BECOMES_ARRAY
from ..flow.sides import NONE, on_sides
from ..objects import protocols
from ..objects.containers import (by_python, container_kind, is_changeable, is_dict, is_static_value, python,
                                  python_container, sampled, value_of)
from ..objects.foreign import all_known
from ..objects.iteration import END, advance, is_iterator, iterator, sequence
from ..objects.members import compare_containers, contains, on_sets, same_or_equal
from ..objects.objects import identical_objects, special
from ..objects.protocols import is_numpy_value
from ..objects.row_containers import by_the_run, is_keyed, pairs_of
from ..objects.texts import text_parts
from ..objects.truths import FALSE, TRUE, either_true, truth
from .powers import power_of_ints

BINARY = {"Add": "add", "Sub": "subtract", "Mult": "multiply", "Div": "divide",
          "FloorDiv": "floor_divide", "Mod": "mod",
          "Pow": "power", "MatMult": "matmul", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor", "LShift": "lshift",
          "RShift": "rshift"}
NUMERIC = (v.Number, v.Array)
FUNCTIONS = (v.Closure, v.BoundMethod, v.Derived, v.Partial, v.Pullback)


@on_sides
def binary_op(s, op, left, right):
    """left op right: of users' classes by their methods, of numbers and arrays by NumPy's rules,
    of all else by Python itself."""
    for x, y in ((left, right), (right, left)):
        if type(x) is v.Array and x.cell.number is not None:
            require_spreadable(s, x, y)
    return first_slot(s, SLOTS, op, left, right)


def first_slot(s, slots, op, left, right):
    """What the first slot gives that knows the operator for these operands; the last knows it for all."""
    for slot in slots:
        if (found := slot(s, op, left, right)) is not None:
            return found


# what knows an operator for some kinds of operands: the result, or None for others -------------------------
def of_numbers_and_arrays(s, op, left, right):
    """Of numbers and arrays that NumPy or Python computes element by element: the common case."""
    if type(left) in NUMERIC and type(right) in NUMERIC and op != "matmul":
        return s.elementwise(op, left, right)
    return None


def of_an_index(s, op, left, right):
    """Of an index of pandas and what is known."""
    if not is_index(left) and not is_index(right):
        return None
    return (all_known(s, OPS[op].fn, [left, right], {})
            or s.fail(f"{op} of an index of pandas and what only the run knows", TAKE))


def of_a_format(s, op, left, right):
    """"%s" % x, of what only the run knows, and of objects of users' classes."""
    of_object = protocols.is_user_object(right) and not issubclass(s.class_of(right), str)
    if op != "mod" or not is_text(left) or is_static_value(s, right) and not of_object:
        return None
    return s.call_value(v.Static(percent), [v.Static(s.static(left, "it is a format")), right], {})


def of_matrices(s, op, left, right):
    if op != "matmul":
        return None
    if not any([isinstance(x, v.Array) for x in (left, right)]):
        s.stop("TypeError", f"unsupported operand type(s) for @: '{s.class_name(left)}' and "
                            f"'{s.class_name(right)}'")
    return s.call_value(v.Static(np.matmul), [left, right], {})


def of_known_numbers(s, op, left, right):
    """Numbers and arrays, of which some are known; a flag of an Enum is one, too."""
    if not (s.is_numeric(left) and s.is_numeric(right)):
        return None
    for x, y in ((left, right), (right, left)):
        if (isinstance(x, v.Static) and isinstance(x.value, enum.Flag) and not isinstance(y, v.Static)
                and op in ("and_", "or_", "xor")):
            s.fail("a flag of an Enum that only the run time knows",
                   f"Write {type(x.value).__name__}.{x.value.name}.value, and compare numbers.")
    return s.elementwise(op, left, right)


def of_texts(s, op, left, right):
    if op == "add" and (isinstance(left, v.RunTimeText) or
                        isinstance(right, v.RunTimeText)) and is_text(left) and is_text(right):
        return v.text(text_parts(s, left, "", "", "") + text_parts(s, right, "", "", ""))
    return None


def of_a_list_and_an_array(s, op, left, right):
    if repeats_a_list(op, left, right) or not any([is_numpy_value(s, x) for x in (left, right)]):
        return None
    if any([isinstance(x, v.Array) and x.cell.python for x in (left, right)]):
        s.fail("a list meets a number of Python that is an array in later iterations",
               "Make an array of the list: np.array(...).")
    s.refuse_several([s.atom(x) for x in (left, right) if isinstance(x, v.Number)])
    return s.elementwise(op, left, right)


def of_sets(s, op, left, right):
    return on_sets(s, OPS[op].fn, left, right) if is_set(left) or is_set(right) else None


def of_containers(s, op, left, right):
    """Lists and tuples, and all else: what Python makes of them. How often n * [...] repeats is known."""
    again = repeats_a_list(op, left, right)
    left, right = as_builtin(left), as_builtin(right)
    if again:
        s.refuse_several([s.atom(x) for x in (left, right) if isinstance(x, v.Number)])
    if (found := by_the_run(s, op, left, right)) is not None:
        return found
    if again:
        left, right = (s.static_number(s.static(x, "it repeats a list or tuple"))
                       if isinstance(x, v.Number) and s.type(x).dtype.kind in "biu" else x for x in (left, right))
    if any([is_changeable(x) or isinstance(x, v.Tuple) for x in (left, right)]):
        return value_of(s, python(s, OPS[op].fn, *[operand(s, x) for x in (left, right)]))
    return by_python(s, OPS[op].fn, left, right)


# in this order: a power of ints is one of numbers, too, and what a class of users' says goes before what is built in
SLOTS = (power_of_ints, of_numbers_and_arrays, of_a_format, protocols.binary_method, of_an_index, of_matrices,
         of_known_numbers, of_texts, of_a_list_and_an_array, of_sets, of_containers)


def repeats_a_list(op, left, right) -> bool:
    return (op == "multiply" and any([isinstance(x, (v.Tuple, v.Boxed)) for x in (left, right)])
            and not any([isinstance(x, v.Array) for x in (left, right)]))


def require_spreadable(s, x, other) -> None:
    """A number that is an array from a loop's second iteration on is one in the first as well, where the other operand
    has its shape: the result is the same.  Else the first iteration is done apart."""
    number = not s.is_numeric(other) or isinstance(other, v.Array) and other.cell.number is not None
    own, dims = s.type(x).dims, () if number else s.type(other).dims
    if not (own and len(dims) >= len(own) and all([d.is_one or d == e for d, e in zip(reversed(own), reversed(dims))])):
        s.conflict(v.Unjoinable(BECOMES_ARRAY, loop=x.cell.number), f"the variable '{x.cell.hint}' cannot be used here",
                "Start with an array: np.zeros(...) or np.full(...).")


def operand(s, value):
    """What stands for an operand where one is a container: of a number only the class counts."""
    return python_container(s, value) if is_changeable(value) or isinstance(value, v.Tuple) else sampled(s, value)


def is_text(value) -> bool:
    return isinstance(value, v.RunTimeText) or isinstance(value, v.Static) and isinstance(value.value, str)


@on_sides
def unary_op(s, op, value):
    """-value, ~value, +value"""
    if (own := protocols.unary_method(s, op, value)) is not None:
        return own
    if not s.is_numeric(value):
        return by_python(s, {"negative": operator.neg, "invert": operator.invert, "positive": operator.pos}[op], value)
    return plus(s, value) if op == "positive" else s.elementwise(op, value)


def plus(s, value):
    """+x: a copy of an array; of a bool of Python an int, of one of NumPy an exception."""
    t = s.type(value)
    if t.dtype.kind == "b" and t.kind != "py":
        s.stop("TypeError", "ufunc 'positive' did not contain a loop with signature matching types <class "
                            "'numpy.dtypes.BoolDType'> -> None")
    weak = v.Static(1) if t.dtype.kind == "b" or isinstance(value, v.Array) else None
    return value if weak is None else s.elementwise("multiply", value, weak)


def compare_values(s, op, left, right):
    """left == right, left < right, ..."""
    if op in ("equal", "not_equal") and NONE in (left, right):
        other = right if left == NONE else left
        if isinstance(other, v.Array):
            s.fail("an array compared with None", "Write `x is None`.")
        if isinstance(other, v.Number):
            return v.Static(op == "not_equal")
    return compare_present(s, op, left, right)


@on_sides
def compare_present(s, op, left, right):
    return first_slot(s, COMPARING, op, left, right)


def element_by_element(s, op, left, right):
    """An array or NumPy scalar and a list or range: NumPy makes an array of it."""
    if (any([is_numpy_value(s, x) for x in (left, right)])
            and not any([isinstance(x, (v.Static, v.RunTimeText)) and not v.is_range(x) for x in (left, right)])):
        s.refuse_several([s.atom(x) for x in (left, right) if isinstance(x, v.Number)])
        return s.elementwise(op, left, right)
    return None


def refuse_texts_and_views(s, op, left, right) -> None:
    if isinstance(left, v.RunTimeText) or isinstance(right, v.RunTimeText):
        s.fail("a test of a string with values of the run time", "Compare the values.")
    if any([isinstance(x, v.Iter) and x.kind in ("values", "items") for x in (left, right)]):
        s.fail("a comparison of a view of a dict", "Compare the dicts, or lists of what is in them.")


def equality_of_kinds(s, op, left, right):
    """Are functions, or objects of two classes, equal?  Of an array and another object NumPy says it for each
    element."""
    if op not in ("equal", "not_equal"):
        return None
    if all([isinstance(x, FUNCTIONS) for x in (left, right)]):
        return v.Static((left == right) == (op == "equal"))
    array = next((x for x in (left, right) if is_numpy_value(s, x)), None)
    if array is not None:
        t = s.type(array)
        return s.wrap(s.emit("np.zeros" if op == "equal" else "np.ones", *map(s.dim_atom, t.dims),
                             dtype=np.dtype(bool))) if t.rank else v.Number(Const(np.bool_(op != "equal")))
    if (s.class_of(left) is not s.class_of(right)
            and not all([isinstance(x, (v.Static, v.Iter)) for x in (left, right)])):
        return v.Static(op == "not_equal")
    return None


COMPARING = (of_numbers_and_arrays, protocols.binary_method, of_an_index, of_known_numbers, compare_containers,
             element_by_element, refuse_texts_and_views, equality_of_kinds,
             lambda s, op, *operands: by_python(s, OPS[op].fn, *operands))


@on_sides
def identical(s, left, right):
    """left is right"""
    if left is right or NONE in (left, right):
        return v.Static(left == right)
    if s.class_of(left) is not s.class_of(right):
        if any([isinstance(x, v.Number) and x.atom in s.b.several for x in (left, right)]):
            s.fail("`is` of a number that is of another class on each path", "Compare with ==.")
        return FALSE
    match left, right:
        case v.Static(value=a), v.Static(value=b):
            found = same_known(a, b)
        case (v.Number() | v.Static()), (v.Number() | v.Static()):
            found = same_number(s, left, right)
        case v.Array(), v.Array():
            found = same_array(s, left, right)
        case v.Boxed(), v.Boxed():
            found = identical_objects(s, left, right)
            s.facts.compared |= found != TRUE
        case v.Tuple(items=a), v.Tuple(items=b):
            found = v.Static(a == b == ())
            s.facts.compared |= a != ()
        case _:
            found = None if isinstance(left, v.RunTimeText) or left == right else FALSE
    if found is None:
        s.fail(f"whether {s.describe(left)} is the very same object as another", "Compare with ==.")
    return found


def same_known(a, b):
    """None: it is Python's to say whether equal constants are one object."""
    equal = isinstance(a, (int, float, complex, str, bytes, tuple)) and (a == b or a != a)
    return v.Static(a is b) if a is b or not equal else None


def same_number(s, left, right):
    """Of bools there are two objects, a number of the run time is at least itself; else None."""
    if s.type(left) == s.type(right) == PY_BOOL:
        return s.elementwise("equal", left, right)
    return TRUE if s.atom(left) == s.atom(right) and isinstance(left, v.Number) else None


def same_array(s, left, right):
    """None: they are equal views, each of which may be made anew, or only the run time knows."""
    one = left.cell is right.cell
    if one and (left.path or right.path):
        return FALSE if left != right else None
    marks, others = [s.heap.get((x.cell, v.FROZEN), frozenset()) for x in (left, right)]
    if not one and frozenset((left.cell, right.cell)) not in s.two_objects and marks & others:
        return None
    s.facts.compared |= not one  # the caller may pass one object twice
    return v.Static(one and not (left.whole or right.whole))


@on_sides
def contained(s, item, container):
    """item in container"""
    if (own := protocols.contains_method(s, container, item)) is not None:
        return own
    if is_keyed(s, container, item):
        return s.call_value(is_under, [pairs_of(s, container), item], {})
    container = as_builtin(container)
    if isinstance(container, v.Iter) and container.kind == "range":
        return (s.call_value(in_range, [item, *container.parts], {})
                if s.is_numeric(item) and not isinstance(item, v.Array) else FALSE)
    if is_dict(container) or is_set(container) or isinstance(container, v.Iter) and container.kind == "keys":
        known = dict.fromkeys(s.keys(container)) if is_dict(container) else s.static(container, "")
        return v.Static(python(s, operator.contains, known, s.static(item, "`in` looks for it")))
    if isinstance(container, v.Array):
        found = s.elementwise("equal", container, item)
        axes = tuple(range(s.type(found).rank))
        return truth(s, s.wrap(s.emit("np.any", s.atom(found), axis=axes, keepdims=False)) if axes else found)
    if container_kind(container) in (list, tuple, deque):
        return contains(s, container, item)
    if (isinstance(container, v.Static) and not isinstance(container.value, (tuple, list))
            and all([special(s, container, name) is None for name in ("__iter__", "__getitem__")])):
        return by_python(s, operator.contains, container, item, why="`in` looks for it")
    return found_on_the_way(s, item, container)


def found_on_the_way(s, item, container):
    """item in container, where that is run over until the item comes."""
    if (not is_iterator(container) and sequence(s, container) is None
            and not any([special(s, container, m) for m in ("__iter__", "__getitem__")])):
        s.lacks(container, "argument of type '{}' is not iterable")
    it = iterator(s, container)

    def rest():
        x = advance(s, it, "`in` looks into it")
        if x is END:
            return FALSE
        test = same_or_equal(s, x, item)
        if is_iterator(container) and not isinstance(test, v.Static):
            s.fail("`in` of an iterator that stops where only the run time knows", "Make a list of it: x in list(it).")
        return either_true(s, test, rest)

    return rest()
