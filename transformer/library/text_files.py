"""io.StringIO, csv, np.loadtxt: what is read out of a text that is known before the run, which Python reads then."""
import csv
import io
from dataclasses import dataclass
from typing import Any

import numpy as np

from .registry import computed, known, means, refuse

WHY = "it is the text that is read"
OUTSIDE = "Read the file outside of the function, and pass what was read."


@dataclass(eq=False)
class TextFile:
    """What an io.StringIO is here: `rest` is what has not been read, None once it is closed."""

    text: str
    rest: str | None
    not_returned = "the function returns an io.StringIO", "Return the text."

    def unread(self):
        if self.rest is None:
            raise ValueError("I/O operation on closed file")
        return self.rest

    def read(self, size=-1):
        if size is not None and size >= 0:
            refuse("io.StringIO.read of some characters", "Read all of it, or lines.")
        found, self.rest = self.unread(), ""
        return found

    def readline(self):
        rest = self.unread()
        found = rest[:rest.find("\n") + 1] or rest
        self.rest = rest[len(found):]
        return found

    def readlines(self):
        return [*self]

    def getvalue(self):
        self.unread()
        return self.text

    def __iter__(self):
        found, self.rest = computed(lines_of, self.unread()), ""
        return iter([*found])

    def __next__(self):
        if self.unread() == "":
            raise StopIteration
        return self.readline()

    def __enter__(self):
        self.unread()
        return self

    def __exit__(self, *problem):
        self.close()

    def close(self):
        self.rest = None

    def write(self, text):
        refuse("a text that is written to an io.StringIO", "Join the parts: \"\".join(parts).")


def lines_of(text):
    return (*io.StringIO(text),)


@means(io.StringIO, unasked=True)
def string_io(initial_value="", newline="\n"):
    if newline != "\n":
        refuse("io.StringIO with newline=", "Leave it away.")
    text = known(initial_value, WHY)
    return TextFile(text, text)


@dataclass(eq=False)
class Table:
    """What a csv.DictReader is here."""

    fieldnames: Any
    rows: Any
    not_returned = "the function returns a csv.DictReader", "Return a list: list(reader)."

    def __iter__(self):
        return self.rows

    def __next__(self):
        return next(self.rows)


@means(csv.reader, unasked=True)
def reader(iterable, dialect="excel", **options):
    found = computed(rows_of, [*iterable], dialect, options)
    return iter([[*row] for row in found])


def rows_of(lines, dialect, options):
    return (*map(tuple, csv.reader(lines, dialect, **options)),)


@means(csv.DictReader, unasked=True)
def dict_reader(f, fieldnames=None, restkey=None, restval=None, dialect="excel", **options):
    names, found = computed(records_of, [*f], fieldnames, restkey, restval, dialect, options)
    return Table([*names], iter([dict(row) for row in found]))


def records_of(lines, *given):
    *given, options = given
    found = csv.DictReader(lines, *given, **options)
    return tuple(found.fieldnames or ()), (*[tuple(row.items()) for row in found],)


def is_read_already(source):
    """Is it a text, or the lines of one?"""
    return isinstance(source, TextFile) or isinstance(source, (list, tuple))


@means(np.loadtxt, unasked=True)
def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False,
            ndmin=0, max_rows=None):
    if converters is not None or not is_read_already(fname):
        refuse("np.loadtxt of a file, or with converters=", OUTSIDE)
    return computed(np.loadtxt, [*fname], dtype, comments, delimiter, None, skiprows, usecols, unpack, ndmin, None,
                    max_rows)


@means(np.genfromtxt, unasked=True)
def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0):
    if not is_read_already(fname):
        refuse("np.genfromtxt of a file", OUTSIDE)
    return computed(np.genfromtxt, [*fname], dtype, comments, delimiter, skip_header, skip_footer)
