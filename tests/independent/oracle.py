"""What is the same: type, dtype, shape, value, down into containers and objects; the kind of an exception,
and a user's message.

The two sides come from two copies of a module, so that classes are compared by name, and objects by what they hold.
"""
import re
import types

import numpy as np

ZEROS = "the signs of zeros"  # what else may differ
SINGLE = (np.float32, np.float16, np.complex64)
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), slice, range)
ITERATORS = tuple(type(x) for x in (iter(()), iter([]), iter({}), iter(range(0)), zip(), map(int, ()), enumerate(()),
                                    filter(None, ()), reversed([]), reversed(()))
                  ) + (types.GeneratorType,)


def difference(got, want, loose=False, at="result", seen=None):
    """None if they are the same, else what differs. loose: True where single precision is about,
    ZEROS where the sign of a zero may be another."""
    seen = set() if seen is None else seen
    if id(want) in seen:
        return None
    if joined(got, want):
        return None
    if type(got) is not type(want) and type(got).__qualname__ != type(want).__qualname__:
        return f"{at}: type {type(got).__name__} {short(got)} instead of {type(want).__name__} {short(want)}"
    if isinstance(want, (np.ndarray, np.generic)):
        if not isinstance(got, (np.ndarray, np.generic)):  # bool and np.bool have one name
            return (f"{at}: type Python's {type(got).__name__} {short(got)} "
                    f"instead of NumPy's {type(want).__name__} {short(want)}")
        if got.dtype != want.dtype or got.shape != want.shape:
            return f"{at}: {got.dtype}{got.shape} {short(got)} instead of {want.dtype}{want.shape} {short(want)}"
        if want.dtype == object:
            return difference(got.tolist(), want.tolist(), loose, at, seen)
        return None if close(got, want, loose) else f"{at}: value {short(got)} instead of {short(want)}"
    if isinstance(want, (float, complex)):
        return None if close(np.asarray(got), np.asarray(want), loose) else f"{at}: value {got!r} instead of {want!r}"
    if isinstance(want, PLAIN):
        return (None if got == want or isinstance(want, str) and bare(got) == bare(want)
                else f"{at}: value {short(got)} instead of {short(want)}")
    seen = seen | {id(want)}
    return inside(got, want, loose, at, seen)


def joined(got, want):
    """The documented difference: Python's numbers that meet behind a branch or a loop have one type,
    the wider. The value is what it was."""
    return type(want) is int and type(got) is float and got == want


def inside(got, want, loose, at, seen):
    if isinstance(want, dict):
        if [(type(k).__name__, bare(k)) for k in got] != [(type(k).__name__, bare(k)) for k in want]:
            return f"{at}: keys {list(got)!r} instead of {list(want)!r}"
        return first(difference(a, b, loose, f"{at}[{k!r}]", seen) for (k, b), a in zip(want.items(), got.values()))
    if isinstance(want, ITERATORS):
        return difference(list(got), list(want), loose, f"list({at})", seen)
    if isinstance(want, (tuple, list)) or type(want).__name__ in ("dict_items", "dict_keys", "dict_values"):
        got, want = (list(tuple.__iter__(x) if isinstance(x, tuple) else x) for x in (got, want))
        if len(got) != len(want):
            return f"{at}: length {len(got)} {short(got)} instead of {len(want)} {short(want)}"
        return first(difference(a, b, loose, f"{at}[{k}]", seen) for k, (a, b) in enumerate(zip(got, want)))
    if isinstance(want, (set, frozenset)):
        return None if got == want else f"{at}: value {short(got)} instead of {short(want)}"
    if callable(want) and hasattr(want, "__name__"):
        return (None if getattr(got, "__name__", 0) == getattr(want, "__name__", 1)
                else f"{at}: {short(got)} instead of {short(want)}")
    if hasattr(want, "__dict__") or hasattr(want, "__slots__"):
        return difference(state(got), state(want), loose, at + ".__dict__", seen)
    return None if bare(got) == bare(want) else f"{at}: {short(got)} instead of {short(want)}"


def bare(x, shown=repr):
    """What it shows, without where it is."""
    return re.sub(r" at 0x\w+|program_\d+", "", shown(x))


def state(x):
    """What an object holds: of a dataclass its fields, of which one that __init__ does not set is what its class
    has."""
    fields = getattr(type(x), "__dataclass_fields__", None)
    if fields is not None:
        return {name: getattr(x, name) for name in fields if hasattr(x, name)}
    return dict(getattr(x, "__dict__", {}),
                **{name: getattr(x, name) for name in getattr(type(x), "__slots__", ()) if hasattr(x, name)})


def first(differences):
    return next((d for d in differences if d), None)


def close(got, want, loose):
    if want.dtype.kind not in "fc":
        return bool(np.array_equal(got, want))
    tolerance = 2e-5 if loose is True or want.dtype.type in SINGLE else 1e-12
    if want.dtype == np.float16:
        tolerance = 2e-3
    finite = np.isfinite(want)
    if not np.array_equal(finite, np.isfinite(got)) or not np.array_equal(got[~finite], want[~finite], equal_nan=True):
        return False
    a, b = got[finite], want[finite]
    with np.errstate(all="ignore"):
        scale = np.abs(b).max(initial=0.0)
        near = np.abs(a / 2 - b / 2) <= tolerance * scale / 2
    signs = np.signbit(a) == np.signbit(b) if want.dtype.kind == "f" and loose != ZEROS else True
    return bool(np.all(near & (signs | (b != 0) | (a != 0))))


def short(x):
    text = " ".join(repr(x).split())
    return text if len(text) < 160 else text[:157] + "..."


def public(cls):
    """The first of its classes that NumPy does not keep to itself."""
    return next(c for c in cls.__mro__ if c.__module__ != "numpy._core._exceptions")


def kind_of(text):
    """A difference without its numbers and names, so that like is counted with like."""
    text = re.sub(r"\([^)]*\)|'[^']*'", "", text.split(": ", 1)[-1])
    found = re.match(r"type (\w+) .*instead of (\w+)|(\w+)\s.*instead of (float|int|uint|bool)(\d*)|(\w+)", text)
    if not found:
        return "value"
    return (f"type {found[1]} instead of {found[2]}" if found[1] else f"{found[3]} instead of {found[4]}{found[5]}"
            if found[3] and found[3] != "value" else found[6] or "value")


def same_error(got, want):
    """None if they are alike: the class, and the message where the program wrote it."""
    if public(type(got)).__qualname__ != public(type(want)).__qualname__:
        return f"{type(got).__name__}: {short(str(got))} instead of {type(want).__name__}: {short(str(want))}"
    if str(want).startswith("user:") and bare(got, str) != bare(want, str):
        return f"message {str(got)!r} instead of {str(want)!r}"
    return None

