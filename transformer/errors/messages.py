"""Errors that show the user's own file, line and caret, say why, and say what to write instead.

    model.py:14: cannot differentiate a set comprehension
        14 |     s = {v * 2 for v in x}
           |         ^^^^^^^^^^^^^^^^^^
    a set has no order, so its elements have no derivative. Write a list: [v * 2 for v in x]

One error may carry several problems (`Problems` collects them) and prints them all.
"""
from __future__ import annotations

import os
import re
import sys
import warnings
from dataclasses import dataclass, field

from .carets import caret


@dataclass(frozen=True)
class Origin:
    """A place in the user's text.  Lines count from 1 in the user's file, columns from 0 in characters.

    text: the whole lines from `line` to `end_line`, as the user wrote them.
    calls: the calls, and rounds of loops that are written out, in which it is: ((name, number), ...), outer first
    path: a hash of where in the text these are, and which round
    """

    file: str
    line: int
    col: int
    end_line: int
    end_col: int
    text: str
    function: str = ""
    adjoint: bool = False  # of a statement that belongs to the mirror of this place
    tangent: bool = False  # of one that computes a tangent for it
    remark: str = ""  # what generated source says before the statement
    kept: str = ""  # of a tape: the name of the value that it keeps
    calls: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    path: int = field(default=0, compare=False)

    def but(self, **changes) -> "Origin":
        """As `dataclasses.replace`, in a quarter of its time: each statement of a program has one."""
        other = object.__new__(Origin)
        other.__dict__.update(self.__dict__, **changes)
        return other

    def mirrored(self) -> "Origin":
        return self.but(adjoint=True, remark="")

    def tangential(self) -> "Origin":
        return self.but(tangent=True)

    @property
    def derivative(self) -> bool:
        return self.adjoint or self.tangent

    @property
    def place(self) -> str:
        return f"{shown_file(self.file)}:{self.line}"

    @property
    def start(self) -> tuple[str, int, int]:
        """The same of a statement and of what passes make of it."""
        return self.file, self.line, self.col

    @property
    def first_text(self) -> str:
        """The first of the lines, without indentation: what comments such as `# adjoint of line 7: ...` quote."""
        return self.text.split("\n", 1)[0].strip()

    @property
    def segment(self) -> str:
        """Exactly the user's text of this expression or statement."""
        lines = self.text.split("\n")
        lines[-1] = lines[-1][: self.end_col]  # the end first: it may be the same line
        lines[0] = lines[0][self.col:]
        return "\n".join(lines)

    def __str__(self):
        return self.place


def shown_file(file: str) -> str:
    """The name to print: `cell In[3]` for a notebook cell, else the path, relative to here when that is shorter."""
    cell = re.fullmatch(r"<ipython-input-(\d+)-.*>", file)
    if cell:
        return f"cell In[{cell[1]}]"
    if re.search(r"[/\\]ipykernel_\d+[/\\]", file):
        return _ipykernel_cell(file)
    if file.startswith("<"):
        return file
    try:
        return min(os.path.relpath(file), file, key=len)
    except ValueError:  # another drive
        return file


def _ipykernel_cell(file: str) -> str:
    """IPython knows the number of the cell that it gave this temporary name."""
    try:
        kind, name = sys.modules["IPython"].get_ipython().compile.format_code_name(file)
        return f"{kind.lower()} {name}"
    except Exception:  # no IPython any more, another version: the number is a nicety
        return "cell"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where, what, and what to write instead."""

    origin: Origin | None
    message: str
    instead: str = ""

    def __str__(self):
        header = f"{self.origin.place}: {self.message}" if self.origin else self.message
        return "\n".join([header, *caret(self.origin), *([self.instead] if self.instead else [])])


class GradscribeError(Exception):
    """Base of all errors that Gradscribe raises on purpose.

    Parameters
    ----------
    origin : Origin or None
        The place in the user's text; None where there is none.
    message : str
        What is wrong.
    instead : str
        What to write instead.

    Attributes
    ----------
    problems : tuple of Problem
        All that it reports, the first one being `.origin`, `.message`, `.instead`.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.datetime_as_string(x)
    >>> try:
    ...     gs.grad(f)(1.0)
    ... except gs.errors.GradscribeError as error:
    ...     print(error.problems[0].message)
    np.datetime_as_string has no rule
    """

    def __init__(self, origin: Origin | None, message: str, instead: str = ""):
        super().__init__(origin, message, instead)
        self.problems: tuple[Problem, ...] = (Problem(origin, message, instead),)

    @property
    def origin(self) -> Origin | None:
        return self.problems[0].origin

    @property
    def message(self) -> str:
        return self.problems[0].message

    @property
    def instead(self) -> str:
        return self.problems[0].instead

    def also(self, problems) -> None:
        """Report further problems after those that are there."""
        self.problems = tuple(dict.fromkeys([*self.problems, *problems]))

    def __str__(self):
        return "\n\n".join(map(str, self.problems))


class UnsupportedError(GradscribeError):
    """A construct of the language, or a function, that Gradscribe does not handle.

    Parameters
    ----------
    origin, message, instead : as of `GradscribeError`
        Where, what, and what to write instead.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.datetime_as_string(x)
    >>> try:
    ...     gs.grad(f)(1.0)
    ... except gs.errors.UnsupportedError as error:
    ...     print(error.message)
    np.datetime_as_string has no rule
    """


def placed(origin: Origin | None, function, *args):
    """function(*args); where it refuses without saying where, it is there."""
    try:
        return function(*args)
    except UnsupportedError as error:
        if error.origin is not None or origin is None:
            raise
        raise UnsupportedError(origin, error.message, instead=error.instead) from None


class MissingName(UnsupportedError, NameError):
    """A name that is not defined.

    Parameters
    ----------
    origin, message, instead : as of `GradscribeError`
        Where, what, and what to write instead.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x * factor
    >>> try:
    ...     gs.grad(f)(1.0)
    ... except gs.errors.MissingName as error:
    ...     print(error.message)
    the name 'factor' is not defined
    """


class MissingAttribute(UnsupportedError, AttributeError):
    """An attribute that is not there.

    Parameters
    ----------
    origin, message, instead : as of `GradscribeError`
        Where, what, and what to write instead.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return x.colour
    >>> try:
    ...     gs.grad(f)(np.ones(2))
    ... except gs.errors.MissingAttribute as error:
    ...     print(error.message)
    an array has no attribute 'colour'
    """


class DeviceError(GradscribeError, RuntimeError):
    """There is no GPU, or what a program needs to use it is not installed, or the GPU has failed.

    Parameters
    ----------
    origin, message, instead : as of `GradscribeError`
        Where, what, and what to write instead.

    Examples
    --------
    >>> import gradscribe as gs
    >>> try:
    ...     gs.device_put(1.0, "cpu")
    ... except gs.errors.DeviceError as error:
    ...     print(error.message)
    device_put to 'cpu', which is no device
    """


class SpecialisationError(GradscribeError):
    """Types or shapes that do not fit together.

    Parameters
    ----------
    origin, message, instead : as of `GradscribeError`
        Where, what, and what to write instead.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x * x
    >>> try:
    ...     gs.grad(f)(3)
    ... except gs.errors.SpecialisationError as error:
    ...     print(error.message)
    argument 0 has dtype int64, and only floats have derivatives
    """


class ImpurityError(GradscribeError):
    """Side effects: input and output, writes to globals, hidden random state.

    Parameters
    ----------
    origin, message, instead : as of `GradscribeError`
        Where, what, and what to write instead.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.random.rand() * x
    >>> try:
    ...     gs.grad(f)(1.0)
    ... except gs.errors.ImpurityError as error:
    ...     print(error.message)
    np.random.rand depends on hidden random state
    """


class ConstantSizesWarning(UserWarning):
    """Each new shape of the arguments makes another program, because of a line that the warning names."""


class UnrolledWarning(UserWarning):
    """A long program, most of which is the rounds of a loop, each written out; the warning names the loop."""


def warn_at(origin: Origin | None, text: str, category: type[Warning]) -> None:
    """Warn of a place in the user's text."""
    if origin is None:
        warnings.warn(text, category, stacklevel=3)
    else:
        warnings.warn_explicit(text, category, origin.file, origin.line)


class Problems:
    """Collects errors, so that all of a function's problems are reported at once.

        problems = Problems()
        problems.add(UnsupportedError(origin, "...", instead="..."))
        problems.check()            # raises one error that carries them all, if there are any
    """

    def __init__(self):
        self.errors: list[GradscribeError] = []

    def __len__(self):
        return len(self.errors)

    def add(self, error: GradscribeError) -> None:
        self.errors.append(error)

    def check(self) -> None:
        if self.errors:
            raise self.joined()

    def joined(self) -> GradscribeError:
        """One error (of their common class, if they have one) with each problem once, in the order of the file."""
        kinds = {type(e) for e in self.errors}
        kind = kinds.pop() if len(kinds) == 1 else GradscribeError
        problems = dict.fromkeys(p for e in self.errors for p in e.problems)
        ordered = sorted(problems, key=lambda p: (p.origin.file, p.origin.line, p.origin.col)
                         if p.origin else ("", 0, 0))
        error = kind(ordered[0].origin, ordered[0].message, ordered[0].instead)
        error.problems = tuple(ordered)
        return error


class RefusedValue(GradscribeError, ValueError):
    """Refused while a program runs: Python has a result for these values, and the program has none.

    Parameters
    ----------
    message : str
        What is wrong.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x ** 0.5
    >>> try:
    ...     gs.jit(f)(-2.0)
    ... except gs.errors.RefusedValue as error:
    ...     print(error.message)
    a negative number to a fractional power is a complex number
    """

    def __init__(self, message: str):
        super().__init__(None, message)

    def __reduce__(self):
        return type(self), (self.message,)


class RefusedRange(RefusedValue, OverflowError):
    """Refused while a program runs: an integer of more than 64 bits, where Python's have as many as they need.

    Parameters
    ----------
    message : str
        What is wrong.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x * x
    >>> try:
    ...     gs.jit(f)(2**40)
    ... except gs.errors.RefusedRange as error:
    ...     print(error.message)
    the result does not fit into a 64-bit integer
    """
