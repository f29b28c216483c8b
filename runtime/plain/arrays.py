"""The operations of core that NumPy does not have by that name, in plain NumPy."""
from __future__ import annotations

import builtins
import importlib
import math
import operator
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


def size(x, axis):
    """x.shape[axis]"""
    return x.shape[axis]


def full(value, shape, dtype):
    return np.full(shape, value, dtype)


def choose(condition, x, y):
    """np.where of numbers, as a NumPy scalar."""
    return np.where(condition, x, y)[()]


def astype(x, dtype):
    """x.astype(dtype) of arrays and NumPy scalars; Python numbers become NumPy scalars."""
    return x.astype(dtype) if isinstance(x, (np.ndarray, np.generic)) else np.dtype(dtype).type(x)


def stop_gradient(x: T) -> T:
    """Return x itself, taken as constant: its derivative is zero.

    Parameters
    ----------
    x : any
        A number, an array, or a tree of them.

    Returns
    -------
    any
        The same object.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.grad(lambda x: x * gs.stop_gradient(x))(3.0)
    3.0
    """
    return x


def update(x, value, index):
    """A copy of x with x[index] = value."""
    y = x.copy(order="K")
    y[index] = value
    return y


def update_add(x, value, index):
    """A copy of x with value added at index, once for each time that a place is named."""
    y = x.copy(order="K")
    np.add.at(y, index, value)
    return y


def last_writer(x, index):
    """Which elements of x[index] keep their value after x[index] = value, when places repeat."""
    index = index if isinstance(index, tuple) else (index,)
    axes = [i for i in index if i is not None]
    # along a slice no place repeats: one stands for all of them
    short = tuple([slice(None) if isinstance(i, slice) else i for i in index])
    shape = [1 if isinstance(i, slice) else n for i, n in zip(axes, x.shape)] + [1] * (x.ndim - len(axes))
    places = np.arange(math.prod(shape)).reshape(shape)[short]
    order = np.full(math.prod(shape), -1)
    order[places.ravel()] = np.arange(places.size)
    last = order[places] == np.arange(places.size).reshape(places.shape)
    return np.broadcast_to(last, x[index].shape)


# Classes of users, and members of their Enums, by "module:name"; and what Gradscribe refuses at run time, for which it
# has classes of its own (transformer/errors/messages.py).
OBJECTS: dict[str, Any] = {"RefusedValue": ValueError, "RefusedRange": OverflowError}


def exception_class(name):
    """The class of this name: a built-in one, or a user's, "module:name", or a member of an Enum."""
    if ":" not in name and name not in OBJECTS:
        return getattr(builtins, name)
    if name not in OBJECTS:
        module, _, inside = name.partition(":")
        OBJECTS[name] = operator.attrgetter(inside)(importlib.import_module(module))
    return OBJECTS[name]


def require(condition, *values, kind, message=None, error=None):
    """Raise the exception named `kind` (as `named` knows it) unless the condition holds.

    error  of one that the user raises, what `problem` makes it of
    """
    if not condition:
        raise exception_class(kind)(message) if error is None else problem(kind, error, values)


def problem(kind, error, values):
    """An exception with arguments of the run time, `values`; error:
    (its arguments, those by name, and its cause, if it has one)."""
    given, by_name, *cause = error
    made = exception_class(kind)(*[filled_message(x, values) for x in given],
                                 **{key: filled_message(x, values) for key, x in by_name})
    if cause:
        # `raise ... from None`: it has no context to show
        made.__cause__ = problem(*cause[0], values) if cause[0] else None
    return made


def filled_message(part, values):
    """An argument of an exception: a text with values in it, one of the values, a constant, or a container of such."""
    match part:
        case ("text", template, *places):
            return template.format(*[values[k] for k in places])
        case ("value", k):
            return values[k]
        case ("constant", x):
            return x
        case ("object", name):
            return exception_class(name)
        case ("tuple", *parts):
            return tuple([filled_message(p, values) for p in parts])
        case ("list", *parts):
            return [filled_message(p, values) for p in parts]
        case ("dict", keys, *parts):
            return dict(zip(keys, [filled_message(p, values) for p in parts]))


OF_PRODUCT = ("matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
              "(n?,k),(k,m?)->(n?,m?) (size {} is different from {})")
OF_SHAPES = "operands could not be broadcast together with shapes "


def brief_message(how: str) -> str:
    """NumPy's message as generated source has it: "@" of a product, "({},) ({},)" of operands of these shapes."""
    return "@" if how == OF_PRODUCT else how.removeprefix(OF_SHAPES)


def whole_message(how: str) -> str:
    return OF_PRODUCT if how == "@" else OF_SHAPES + how if how.startswith("(") else how


def match(x, *numbers, axes, how, kind="ValueError"):
    """x, after a check that its `axes` have the lengths that the first numbers say; `how` is the message
    of the exception, or its brief form, with the remaining numbers filled in."""
    for axis, length in zip(axes, numbers):
        if x.shape[axis] != length:
            raise exception_class(kind)(whole_message(how).format(*numbers[len(axes):]))
    return x


def same_sizes(*numbers, count, how, kind="ValueError"):
    """A check that the first numbers are the next ones, `count` of each; else an exception, as `match` has it."""
    if numbers[:count] != numbers[count:2 * count]:
        raise exception_class(kind)(whole_message(how).format(*numbers[2 * count:]))


def slice_length(n, *bounds, given):
    """The length of x[start:stop:step] of an axis of n elements; `given` says which bounds are."""
    bounds = iter(bounds)
    return len(range(*slice(*(next(bounds) if flag == "1" else None for flag in given)).indices(n)))


def tape(dtype):
    """An empty tape: a flat buffer that `push` grows."""
    return np.zeros(64, dtype)


def tape_zeros(tape):
    """A tape of zeros as large as this one."""
    return np.zeros_like(tape)


def _grown_tape(tape, need):
    """The tape, grown to twice its size when it is too small."""
    if need <= tape.size:
        return tape
    grown = np.zeros(max(need, 2 * tape.size), tape.dtype)
    grown[:tape.size] = tape
    return grown


def push(tape, position, value):
    """The tape with the elements of value from `position` on."""
    flat = np.ravel(value)
    grown = _grown_tape(tape, position + flat.size)
    grown = tape.copy() if grown is tape else grown
    grown[position:position + flat.size] = flat
    return grown


def push_add(tape, position, value):
    """The tape with the elements of value added from `position` on."""
    flat = np.ravel(value)
    grown = tape.copy()
    grown[position:position + flat.size] += flat
    return grown


def push_(tape, position, value):
    """`push` into the tape itself; it is another one where it had to grow."""
    flat = np.ravel(value)
    tape = _grown_tape(tape, position + flat.size)
    tape[position:position + flat.size] = flat
    return tape


def push_add_(tape, position, value):
    """`push_add` into the tape itself."""
    flat = np.ravel(value)
    tape[position:position + flat.size] += flat
    return tape


def pop(tape, position, shape):
    """What was pushed at `position`, as a view of this shape (a NumPy scalar for shape ())."""
    if shape == ():
        return tape[position]
    return tape[position:position + int(np.prod(shape))].reshape(shape)
