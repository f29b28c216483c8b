"""Structured arrays: in a program they are their fields, each an array.

    p = np.zeros(n, [("x", float), ("v", float, 2)])      p.x = np.zeros(n); p.v = np.zeros((n, 2))
    p["v"][mask] = 0.0                                    p.v[mask] = 0.0

A class of ours stands for each dtype (`class_of_records`), so that two arrays of records are one kind of value where
their dtypes are equal.  What makes and joins them is in `record_making.py`.
"""
from __future__ import annotations

import functools

import numpy as np

from gradscribe.runtime.plain.records import records

from ..core import quoted
from ..pytree.containers import READERS, Foreign, Opened, declare_static
from .read_only import ReadOnly, Texts
from .registry import computed, own, refuse


class Records(ReadOnly):
    """An array of records; of no axes it is one record, as an example of `vmap` is.

    dtype       NumPy's
    attributes  is it a np.recarray, whose fields are attributes?
    held        the fields that there are: no objects and dates, and of strings those that are known
    """

    stands_for = np.ndarray
    dtype = None
    attributes = False
    held: tuple = ()
    not_returned = ("the function returns records with fields that are no numbers, or strings that the run chooses",
                    "Return the arrays of the fields.")

    def __getitem__(self, key):
        if isinstance(key, str):
            return field_of(self, key)
        if starts_with_name(key):
            for name in key:
                if name not in self.dtype.names:
                    raise KeyError(name)
            return records_of(computed(dtype_of_subset, self.dtype, key), self.attributes,
                        {name: getattr(self, f"field {name}") for name in key})
        if isinstance(key, (int, np.integer)) and is_one(self):
            return field_of(self, computed(name_at, self.dtype, key))
        if is_place(self, key):
            check_place(self, key)
            return record_at(self, key)
        return records_at(self, key)

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            store_records(self, key, value)
        elif is_one(self):
            refuse("a store into one record of many examples", "Make a new array, or store into all of them outside.")
        else:
            needs_numbers(self, key)
            field_of(self, key)[...] = value

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return map(lambda k: self[k], range(len(self)))

    @property
    def shape(self):
        name = computed(first_of_numbers, self.dtype, self.held)
        lengths = getattr(self, f"field {name}").shape
        return lengths[:len(lengths) - len(self.dtype[name].shape)]

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        count = 1
        for n in self.shape:
            count *= n
        return count

    def copy(self, order="C"):
        return with_fields(self, {name: getattr(self, f"field {name}").copy() if self.dtype[name].kind not in "US"
                                  else getattr(self, f"field {name}") for name in self.held})

    def reshape(self, *shape):
        lengths = shape[0] if isinstance(shape[0], (tuple, list)) else shape
        return with_fields(self, {name: getattr(self, f"field {name}").reshape((*lengths, *self.dtype[name].shape))
                                  for name in self.held})

    def ravel(self):
        return self if self.ndim == 1 else self.reshape(-1)

    def flatten(self):
        return self.copy().ravel()

    @property
    def T(self):  # noqa: N802  NumPy's
        axes = range(self.ndim)
        return with_fields(self, {name: getattr(self, f"field {name}").transpose(
            (*axes[::-1], *range(len(axes), len(axes) + len(self.dtype[name].shape)))) for name in self.held})

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    def argsort(self, order=None):
        return np.argsort(self, order=order)

    def sort(self, order=None):
        store_records(self, slice(None), np.sort(self, order=order))

    def tolist(self):
        if self.ndim != 1:
            refuse("tolist of records of several axes", FIELDS)
        return [r.item() for r in self]

    def view(self, dtype=None, type=None):
        if dtype is not np.recarray and type is not np.recarray or dtype is not None and type is not None:
            refuse("a view of records in another dtype", FIELDS)
        return records_of(self.dtype, True, {name: getattr(self, f"field {name}") for name in self.held})

    def __array__(self):
        refuse("records as an array of numbers", FIELDS)

    def __getattr__(self, name):
        if not self.attributes or name in OWN or name.startswith("field ") or name not in self.dtype.names:
            refuse(f"{name.removeprefix('field ')} of records", FIELDS)
        return field_of(self, name)

    def __setattr__(self, name, value):
        if not self.attributes or name in OWN or name not in self.dtype.names:
            refuse(f"a store into {name} of records", "Store into a field: p['x'] = value.")
        self[name] = value


class Record(ReadOnly):
    """One record of several: a view of them."""

    stands_for = np.void
    not_returned = ("the function returns a record, which is a view", "Return its fields, or p[i:i + 1].")

    def __getitem__(self, key):
        if isinstance(key, str):
            return field_of(self.records, key)[self.place]
        if starts_with_name(key):
            return record_at(self.records[key], self.place)
        if not isinstance(key, (int, np.integer)):
            refuse("an index of a record that is no name", FIELDS)
        return field_of(self.records, computed(name_at, self.records.dtype, key))[self.place]

    def __setitem__(self, key, value):
        name = key if isinstance(key, str) else computed(name_at, self.records.dtype, key)
        needs_numbers(self.records, name)
        field_of(self.records, name)[self.place] = value

    def __iter__(self):
        return iter([self[name] for name in self.dtype.names])

    def __len__(self):
        return len(self.dtype.names)

    @property
    def dtype(self):
        return self.records.dtype

    def copy(self):
        return record_at(with_fields(self.records, {
            name: np.stack([getattr(self.records, f"field {name}")[self.place]]) for name in self.records.held}), 0)

    def item(self):
        """The values as Python's."""
        for name in self.dtype.names:
            if len(self.dtype[name].shape) > 0:
                refuse(f"item of a record, of which {name} is an array", FIELDS)
        return tuple([self[name] if self.dtype[name].kind in "US" else self[name].item() for name in self.dtype.names])

    tolist = item

    def __array__(self):
        refuse("a record as an array of numbers", FIELDS)

    def __getattr__(self, name):
        if not self.records.attributes or name in OWN or name not in self.dtype.names:
            refuse(f"{name} of a record", FIELDS)
        return self[name]

    def __setattr__(self, name, value):
        if not self.records.attributes or name in OWN or name not in self.dtype.names:
            refuse(f"a store into {name} of a record", "Store into a field: r['x'] = value.")
        self[name] = value


FIELDS = "Take the array of a field, and index that: p['x'][i], p['x'][mask]."
OWN = frozenset(dir(np.recarray))


# fields ----------------------------------------------------------------------------------------
def field_of(records, name):
    """records[name]"""
    if name not in records.dtype.names:
        raise ValueError(f"no field of name {name}")
    if name not in records.held:
        refuse(f"{name} of records, which is no field of numbers, or one of strings of which the run chooses some",
               "Convert it before the call, p['x'].astype(float); take strings by their place, p['name'][i].")
    found = getattr(records, f"field {name}")
    return Texts(found) if records.dtype[name].kind in "US" else found


def needs_numbers(records, name):
    """Strings are known before the run: nothing can be stored."""
    if name in records.dtype.names and records.dtype[name].kind in "US":
        refuse(f"a store into {name} of records, which is a field of strings", "Keep the strings in a list.")


def with_fields(records, fields):
    return records_of(records.dtype, records.attributes, fields)


def records_of(dtype, attributes, fields):
    """Records of these fields."""
    records = object.__new__(computed(class_of_records, dtype, attributes, [*fields]))
    for name, field in fields.items():
        object.__setattr__(records, f"field {name}", field)
    return records


def record_at(records, place):
    """The record at a place."""
    one = object.__new__(Record)
    object.__setattr__(one, "records", records)
    object.__setattr__(one, "place", place)
    return one


def starts_with_name(key) -> bool:
    """Is it a list of names?"""
    if isinstance(key, list):
        for k in key:
            return isinstance(k, str)
    return False


# indices ---------------------------------------------------------------------------------------
def is_place(records, key) -> bool:
    """Does it say one record?"""
    if isinstance(key, tuple):
        return len(key) == records.ndim and all([isinstance(k, (int, np.integer)) for k in key])
    return records.ndim == 1 and isinstance(key, (int, np.integer))


def is_one(records) -> bool:
    """Is it a record by itself, whose fields are numbers, and no array of no axes?"""
    return records.ndim == 0 and not any([isinstance(getattr(records, f"field {name}"), np.ndarray)
                                          for name in records.held if len(records.dtype[name].shape) == 0])


def check_place(records, key):
    keys = key if isinstance(key, tuple) else (key,)
    for axis, (k, n) in enumerate(zip(keys, records.shape)):
        if k < -n or k >= n:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")


def index_of_field(records, name, key):
    """The index of a field that has the axes of its dtype behind those of the records."""
    behind = len(records.dtype[name].shape)
    if behind == 0 or isinstance(key, slice):
        return key
    return (*(key if isinstance(key, tuple) else (key,)), *[slice(None)] * behind)


def records_at(records, key):
    """records[key] of slices, masks and index arrays. Which strings are in it the run decides."""
    return with_fields(records, {name: getattr(records, f"field {name}")[index_of_field(records, name, key)]
                                 for name in records.held if records.dtype[name].kind not in "US"})


def fits(values, names):
    """There is a value for each field."""
    if len(values) != len(names):
        raise ValueError(f"could not assign tuple of length {len(values)} to structure with {len(names)} fields.")


def store_records(records, key, value):
    """records[key] = value: a tuple by its items, records field by field, a number into all fields."""
    names = records.dtype.names
    for name in names:
        needs_numbers(records, name)
        field_of(records, name)
    if not isinstance(value, (Records, Record)) and isinstance(value, list):
        value = np.array(value, records.dtype)
    if isinstance(value, (Records, Record)):
        values = [apart(value[name]) for name in value.dtype.names]
    elif isinstance(value, tuple):
        values = [*value]
    elif isinstance(value, np.ndarray) and value.ndim > 0:
        refuse("a store of an array into whole records", "Store into each field: p['x'][:] = values.")
    else:
        values = [value for _ in names]
    fits(values, names)
    for name, x in zip(names, values):
        getattr(records, f"field {name}")[index_of_field(records, name, key)] = x


def apart(x):
    """What is stored in one field must not change what is stored in the next."""
    return x.copy() if isinstance(x, (Records, Record)) else own(x) if isinstance(x, np.ndarray) else x


# asked before the run --------------------------------------------------------------------------
@functools.cache
def _class_of_records(dtype, attributes: bool, held: tuple) -> type:
    cls = type("structured array", (Records,), {
        "__module__": __name__, "dtype": dtype, "attributes": attributes, "held": held,
        "returned": tuple([f"field {name}" for name in dtype.names])})
    cls.__gradscribe_made__ = staticmethod(lambda keys, items: records(fields_by_name(keys, items), dtype, attributes))
    cls.__gradscribe_item__ = staticmethod(lambda key: f"[{quoted(key.removeprefix('field '))}]")
    cls.__gradscribe_text__ = staticmethod(lambda keys, items: text_of_records(cls, fields_by_name(keys, items)))
    declare_static(cls, [f"field {name}" for name in held if dtype[name].kind in "US"])
    return cls


def class_of_records(dtype, attributes, held) -> type:
    return _class_of_records(dtype, bool(attributes), tuple(held))


def dtype_of_subset(dtype, names):
    """The dtype of p[names], whose fields are where those of p are."""
    return np.empty(0, dtype)[names].dtype


def name_at(dtype, k):
    if not -len(dtype.names) <= k < len(dtype.names):
        raise IndexError(f"invalid index ({k})")
    return dtype.names[k]


def first_of_numbers(dtype, held):
    if not held:
        raise NotImplementedError("records without fields of numbers")
    return next((name for name in held if dtype[name].kind not in "US"), held[0])


# arguments, results ----------------------------------------------------------------------------
def is_readable(dtype, ndim: int) -> bool:
    """Does a program compute with a field of this dtype?"""
    base = dtype.base
    return base.isnative and (base.names is not None or base.kind in "fiubc" and base.itemsize <= 8 + 8 * (
        base.kind == "c") or base.kind in "US" and not dtype.shape and ndim == 1)


def opened_records(array) -> Foreign:
    """A structured array, taken apart."""
    dtype, attributes = array.dtype, type(array) is np.recarray
    names = tuple([name for name in dtype.names if is_readable(dtype[name], array.ndim)])
    texts = [name for name in names if dtype[name].kind in "US"]
    fields = tuple([array[name] for name in names])
    keys = tuple([f"field {name}" for name in names])
    known = tuple([(array[name].dtype.str, array[name].tobytes()) for name in texts])
    return Foreign(class_of_records(dtype, attributes, names),
                   Opened(keys, fields, frozenset([f"field {name}" for name in texts]), (dtype, known)),
                   tuple([(("item", name),) for name in names]),
                   lambda items: records(fields_by_name(keys, items), dtype, attributes))


def fields_by_name(keys, items) -> dict:
    return dict(zip([key.removeprefix("field ") for key in keys], items))


def text_of_records(cls, fields: dict) -> str:
    """How a result is spelled."""
    parts = ", ".join([f"{quoted(name)}: {text}" for name, text in fields.items()])
    return f"rt.records({{{parts}}}, np.{cls.dtype!r}{', attributes=True' * cls.attributes})"


READERS.update({("numpy", "ndarray"): opened_records, ("numpy", "recarray"): opened_records})
