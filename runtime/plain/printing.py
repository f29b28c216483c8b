"""What `print` shows in compiled code: compiled text hands on numbers, Python makes values and their text of them."""
from __future__ import annotations

import hashlib
import struct

import numpy as np

from .collectives import RANK, here, own_axis
from .telling import SAYS, clock, filled, log_enabled

# number -> (text with places, what ends it, a form for each value), or of what is said in another way than by print
# (texts, (the operation, what it is given beside them), forms); see `enter_text`
TEXTS: dict[int, tuple] = {}
raised: list[BaseException] = []  # what has ended a text of compiled code: a warning that is an error


def enter_text(text: str | tuple, end: str | tuple, forms: tuple[str, ...]) -> int:
    """The number of a text in compiled code, the same in each process.  A form is that of a Python number ("py f"), of
    a NumPy scalar ("np f4"), or of an array with so many axes ("2 f4")."""
    known = text, end, forms
    number = int.from_bytes(hashlib.sha256(repr(known).encode()).digest()[:7])
    assert TEXTS.setdefault(number, known) == known
    return number


def say(number, *values):
    """Print a text with these values, or say it as the text has it."""
    text, end, forms = TEXTS[number]
    if isinstance(end, tuple):
        return SAYS[end[0]](*end[1], *filled(text, map(formed, forms, values)))
    axis = own_axis()
    device = f"device {axis[0, RANK]}: " if axis is not None and len(axis) > 1 and not here.begun else ""
    here.begun = not end.endswith("\n")
    print(f"{device}{text.format(*map(formed, forms, values))}{end}", end="")  # at once: others write, too


def read_clock(number) -> float:
    """The clock of `time` that the text names."""
    return clock(TEXTS[number][0])


def asked_level(number) -> bool:
    """Does the logger that the text names take records of its level?"""
    return log_enabled(*TEXTS[number][0])


def formed(form: str, x):
    """A value of a program that runs as plain Python, by its form."""
    kind, dtype = form.split()
    if kind == "py":
        return {"b": bool, "i": int, "f": float, "c": complex}[dtype](x)
    return np.dtype(dtype).type(x) if kind == "np" else np.asarray(x, dtype)


def say_numbers(number, *numbers):
    """The same for compiled code: of an array it hands on where it lies, its lengths and its strides; of others their
    bits, of which those of 64 bits as a signed integer, floats as they are."""
    rest, values = list(numbers), []
    for form in TEXTS[number][2]:
        kind, dtype = form.split()
        if kind.isdigit():
            values.append(np.array(ArrayMemory(rest, int(kind), np.dtype(dtype))))
        elif np.dtype(dtype if kind != "py" else PYTHON[dtype]).kind == "c":
            values.append(complex(rest.pop(0), rest.pop(0)))
        elif kind != "py" and np.dtype(dtype) == np.uint64:
            values.append(struct.unpack("Q", struct.pack("q", rest.pop(0)))[0])
        else:
            values.append(rest.pop(0))
    try:
        say(number, *values)
    except BaseException as error:
        raised.append(error)
        raise


PYTHON = {"b": "?", "i": "i8", "f": "f8", "c": "c16"}


class ArrayMemory:
    """An array by its address, lengths and strides, which are taken from a list."""

    def __init__(self, numbers: list, rank: int, dtype: np.dtype):
        address, *layout = [numbers.pop(0) for _ in range(1 + 2 * rank)]
        self.__array_interface__ = {"version": 3, "typestr": dtype.str, "data": (address, True),
                                    "shape": tuple(layout[:rank]), "strides": tuple(layout[rank:])}
