"""Structured arrays that a function makes: of a shape and a dtype, of tuples, of other structured arrays."""
import numpy as np

from .records import FIELDS, Record, Records, fits, needs_numbers, records_at, records_of, with_fields
from .registry import computed, means, of_records, refuse


def as_lengths(shape):
    return shape if isinstance(shape, (tuple, list)) else (shape,)


def each_field(create, shape, dtype, attributes=False):
    """Records whose fields `create(shape, dtype)` makes."""
    fields = {}
    for name in dtype.names:
        if dtype[name].kind in "USOMm":
            refuse(f"the field {name} of records that are made here, which are no numbers",
                   "Make the records outside, or keep it in a list.")
        fields[name] = create((*as_lengths(shape), *dtype[name].shape), dtype[name].base)
    return records_of(dtype, attributes, fields)


@of_records(np.zeros, np.empty)
def records_zeros(shape, dtype=float):
    return each_field(np.zeros, shape, dtype)


@of_records(np.ones)
def records_ones(shape, dtype=float):
    return each_field(np.ones, shape, dtype)


@of_records(np.full)
def records_full(shape, fill_value, dtype=None):
    if dtype is None:
        refuse("np.full of a record without its dtype", "Give it: dtype=p.dtype.")
    return filled_records(each_field(np.zeros, shape, dtype), fill_value)


def filled_records(records, value):
    if not isinstance(value, (Records, Record)) and isinstance(value, (tuple, list)):
        refuse("np.full of records with a tuple, of which NumPy makes an array first", "Store it: p[...] = (1.0, 2.0).")
    records[...] = value
    return records


@of_records(np.zeros_like, np.empty_like)
def records_zeros_like(a, dtype=None):
    return each_field(np.zeros, a.shape, a.dtype if dtype is None else dtype, dtype is None and is_attributed(a))


@of_records(np.ones_like)
def records_ones_like(a, dtype=None):
    return each_field(np.ones, a.shape, a.dtype if dtype is None else dtype, dtype is None and is_attributed(a))


@of_records(np.full_like)
def records_full_like(a, fill_value, dtype=None):
    return filled_records(records_zeros_like(a, dtype), fill_value)


def is_attributed(a):
    """Is it a np.recarray?"""
    return isinstance(a, Records) and a.attributes


@of_records(np.copy)
def copied_records(a):
    return records_of(a.dtype, False, {name: getattr(a.copy(), f"field {name}") for name in a.held})


@of_records(np.asarray, np.asanyarray)
def as_records(a, dtype=None):
    if not isinstance(a, Records):
        return records_of_rows(a, dtype)
    if dtype is not None and dtype != a.dtype:
        refuse("records in another dtype", FIELDS)
    return a


@of_records(np.array)
def records_of_rows(object, dtype=None, copy=True):
    """Of records a copy, of tuples their columns."""
    if isinstance(object, Records):
        own = as_records(object, dtype)
        return own.copy() if copy else own
    if dtype is None:
        dtype = object[0].dtype
    if isinstance(object, tuple):
        return one_record(object, dtype)
    if not isinstance(object, list):
        refuse("records of an array", "Store the array into a field: p['x'] = values.")
    return records_of(dtype, False, {name: column_of_rows(object, k, name, dtype)
                                     for k, name in enumerate(dtype.names)})


def one_record(values, dtype):
    fits(values, dtype.names)
    return records_of(dtype, False, {name: np.array(x, dtype[name]) for name, x in zip(dtype.names, values)})


def column_of_rows(rows, k, name, dtype):
    """The field of this name, which stands at this place in each of the rows."""
    field = dtype[name]
    if field.kind in "US":
        return computed(np.array, [item_of_row(row, k, dtype) for row in rows], field)
    return np.array([item_of_row(row, k, dtype) for row in rows], field if field.names is not None else field.base)


def item_of_row(row, k, dtype):
    if not isinstance(row, Record) and not isinstance(row, tuple):
        refuse("records of what are no tuples", "Give a tuple for each record: [(1.0, 2.0), (3.0, 4.0)].")
    fits(row, dtype.names)
    return row[k]


@of_records(np.concatenate, np.hstack)
def joined_records(arrays, axis=0):
    first = arrays[0]
    for a in arrays:
        if not isinstance(a, Records) or a.dtype != first.dtype:
            refuse("records of different dtypes as one array", FIELDS)
        for name in first.dtype.names:
            needs_numbers(a, name)
    return with_fields(first, {name: np.concatenate([getattr(a, f"field {name}") for a in arrays], axis)
                               for name in first.held})


def names_in_order(a, order):
    """The names by which records are compared, the first one first."""
    first = [] if order is None else [order] if isinstance(order, str) else [*order]
    return [*first, *[name for name in a.dtype.names if name not in first]]


@of_records(np.argsort)
def order_of_records(a, order=None, kind=None):
    if a.ndim != 1:
        refuse("np.argsort of records of several axes", "Sort by a field: p[np.argsort(p['x'])].")
    names = names_in_order(a, order)
    for name in names:
        needs_numbers(a, name)
        if len(a.dtype[name].shape) > 0 or a.dtype[name].names is not None:
            refuse(f"an order that {name} decides", "Sort by a field of numbers: p[np.argsort(p['x'])].")
    return np.lexsort([a[name] for name in names[::-1]])


@of_records(np.sort)
def sorted_records(a, order=None, kind=None):
    return records_at(a, order_of_records(a, order))


@of_records(np.shape)
def records_shape(a):
    return a.shape


@of_records(np.ndim)
def records_ndim(a):
    return a.ndim


@of_records(np.size)
def records_size(a):
    return a.size


@means(np.rec.fromarrays, unasked=True)
def fromarrays(arrayList, dtype=None, names=None):
    arrays = [np.asarray(a) for a in arrayList]
    if dtype is None:
        dtype = computed(dtype_named, names, [a.dtype for a in arrays])
    dtype = computed(np.dtype, dtype)
    for a in arrays:
        if a.shape != arrays[0].shape:
            refuse("np.rec.fromarrays of arrays of different shapes", "Give all one shape.")
    return records_of(dtype, True, {name: np.array(a, dtype[name]) for name, a in zip(dtype.names, arrays)})


def dtype_named(names, dtypes):
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    names = names or [f"f{k}" for k in range(len(dtypes))]
    return np.dtype([*zip(names, dtypes, strict=True)])


# what moves records as it moves numbers --------------------------------------------------------
def moved(a, places):
    if a.ndim != 1:
        refuse("this of records of several axes", "Do it with each field.")
    return records_at(a, places)


@of_records(np.take)
def taken_records(a, indices, axis=None):
    return moved(a, np.take(np.arange(len(a)), indices))


@of_records(np.roll)
def rolled_records(a, shift, axis=None):
    return moved(a, np.roll(np.arange(len(a)), shift))


@of_records(np.repeat)
def repeated_records(a, repeats, axis=None):
    return moved(a, np.repeat(np.arange(len(a)), repeats))


@of_records(np.delete)
def without_records(arr, obj, axis=None):
    return moved(arr, np.delete(np.arange(len(arr)), obj))


@of_records(np.append)
def with_more_records(arr, values, axis=None):
    return joined_records([arr, values])
