"""Functions of functions, and the methods of ufuncs."""
import numpy as np

from ..rules.registry import BY_FUNCTION
from .joining import common
from .registry import at_least, computed, known, means, refuse
from .shapes import along, axis_of, must_be_arrays, product, single_axis
from .statistics import ABSENT


@means(np.vectorize, unasked=True, complex=True)
def vectorize(pyfunc=None, signature=None):
    if pyfunc is None:
        refuse("np.vectorize without a function", "Give it the function.")
    signature = known(signature, "it says what the function takes")
    cores = computed(cores_of, signature)

    def of_all(*args, **kwargs):
        if len(kwargs) > 0:
            refuse("a call of np.vectorize with arguments by name", "Give them by position.")
        if cores is not None:
            return of_rows(pyfunc, cores, args)
        shape = common([np.shape(x) for x in args])
        flat = [np.ravel(np.broadcast_to(x, shape)) for x in args]
        count = product(shape)
        if not at_least(count, 1):
            refuse("np.vectorize of no elements", "Test the size before.")
        y = np.zeros(count, np.asarray(pyfunc(*[x[0] for x in flat])).dtype)
        for k in range(count):
            y[k] = pyfunc(*[x[k].item() for x in flat])  # NumPy, too, gives it Python's numbers
        return y.reshape(shape)
    return of_all


def vectorized(self, *args, **kwargs):
    """A call of one that stands outside of the function."""
    if self.otypes is not None or self.excluded:
        refuse("a call of np.vectorize with otypes= or excluded=", "Leave it out.")
    return vectorize(self.pyfunc, self.signature)(*args, **kwargs)


def cores_of(signature):
    """The names of the lengths of each argument and result: of "(m,n),(n)->(m)" [("m", "n"), ("n",)], [("m",)]."""
    return signature if signature is None else np.vectorize(np.sum, signature=signature)._in_and_out_core_dims


def of_rows(pyfunc, cores, args):
    """A function of rows, matrices, ... under np.vectorize with a signature; `cores`: the names of their lengths."""
    inner, outer = cores
    if len(args) != len(inner):
        raise TypeError(f"wrong number of positional arguments: expected {len(inner)}, got {len(args)}")
    arrays, sizes = [np.asarray(x) for x in args], {}
    for x, core in zip(arrays, inner):
        check_sizes(sizes, core, x)
    shape = common([x.shape[:x.ndim - len(core)] for x, core in zip(arrays, inner)])
    count = product(shape)
    if not at_least(count, 1):
        refuse("np.vectorize of no elements", "Test the size before.")
    rows = [np.broadcast_to(x, shape + x.shape[x.ndim - len(core):]).reshape((count,) + x.shape[x.ndim - len(core):])
            for x, core in zip(arrays, inner)]
    found = called_for_each(pyfunc, rows, count, outer, sizes)
    found = tuple([y.reshape(shape + y.shape[1:]) for y in found])
    return found[0] if len(found) == 1 else found


def called_for_each(pyfunc, rows, count, outer, sizes):
    """The results for all rows, which have the shapes of those for the first."""
    first = results_of_call(pyfunc(*[x[0] for x in rows]), outer)
    for y, core in zip(first, outer):
        if y.ndim > len(core):
            refuse("a function under np.vectorize whose result has more axes than the signature says", "Name them all.")
        check_sizes(sizes, core, y)
    found = [np.zeros((count,) + y.shape, y.dtype) for y in first]
    for y, one in zip(found, first):
        y[0] = one
    for k in range(1, count):
        for y, one in zip(found, results_of_call(pyfunc(*[x[k] for x in rows]), outer)):
            y[k] = one
    return found


def results_of_call(results, outer):
    """The results of one call, as many as the signature says."""
    results = results if isinstance(results, tuple) else (results,)
    if len(results) != len(outer):
        raise ValueError(f"wrong number of outputs from pyfunc: expected {len(outer)!r}, got {len(results)!r}")
    for y in results:
        if isinstance(y, (tuple, list)):
            refuse("a function under np.vectorize with a signature that returns a list or a tuple in its result",
                   "Return np.array(...).")
    return [np.asarray(y) for y in results]


def check_sizes(sizes, core, x):
    """The last lengths of an array under their names, each of which stands for one length."""
    if x.ndim < len(core):
        raise ValueError(f"{x.ndim}-dimensional argument does not have enough dimensions for all core dimensions "
                         f"{core!r}")
    for name, size in zip(core, x.shape[x.ndim - len(core):]):
        if name not in sizes:
            sizes[name] = size
        elif sizes[name] != size:
            raise ValueError(f"inconsistent size for core dimension {name!r}: {size!r} vs {sizes[name]!r}")


@means(np.apply_along_axis, unasked=True, complex=True)
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    a = np.asarray(arr)
    axis = axis_of(axis, a.ndim)
    rows = np.moveaxis(a, axis, -1)
    shape = rows.shape[:-1]
    rows = rows.reshape((product(shape), a.shape[axis]))
    if not at_least(len(rows), 1) and len(rows) == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    y = np.stack([np.asarray(func1d(rows[k], *args, **kwargs)) for k in range(len(rows))])
    inner = y.shape[1:]
    y = y.reshape(shape + inner)
    order = list(range(axis)) + list(range(len(shape), len(shape) + len(inner))) + list(range(axis, len(shape)))
    return np.transpose(y, order) if y.ndim else y


@means(np.apply_over_axes, unasked=True, complex=True)
def apply_over_axes(func, a, axes):
    must_be_arrays("np.apply_over_axes", a)
    if a.ndim == 0:
        refuse("np.apply_over_axes of an array without axes", "Leave it out.")
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        axis = axis_of(axis, a.ndim)
        y = func(a, axis)
        a = np.expand_dims(y, axis) if np.ndim(y) != a.ndim else y
    return a


@means(np.packbits, unasked=True)
def packbits(a, /, axis=None, bitorder="big"):
    a = np.asarray(a)
    if a.dtype.kind not in "iub":
        raise TypeError("Expected an input array of integer or boolean data type")
    if axis is None or a.ndim == 0:
        a, axis = np.ravel(a), axis or 0
    axis = single_axis(axis, a.ndim)
    bits = np.moveaxis(a != 0, axis, -1).astype(np.uint8)
    more = -bits.shape[-1] % 8
    bits = np.concatenate([bits, np.zeros(bits.shape[:-1] + (more,), np.uint8)], -1)
    bits = bits.reshape(bits.shape[:-1] + (bits.shape[-1] // 8, 8))
    if known(bitorder, "it is an order") == "big":
        bits = bits[..., ::-1]
    return np.moveaxis(np.sum(bits << np.arange(8, dtype=np.uint8), -1, dtype=np.uint8), -1, axis)


@means(np.unpackbits, unasked=True)
def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    a = np.asarray(a)
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if axis is None or a.ndim == 0:
        a, axis = np.ravel(a), axis or 0
    axis = single_axis(axis, a.ndim)
    a = np.moveaxis(a, axis, -1)
    places = np.arange(8, dtype=np.uint8)
    bits = (a[..., None] >> (places[::-1] if known(bitorder, "it is an order") == "big" else places)) & np.uint8(1)
    bits, count = bits.reshape(a.shape[:-1] + (a.shape[-1] * 8,)), known(count, "it decides the length")
    if count is not None:
        if count >= 0 and not at_least(bits.shape[-1], count):
            refuse("np.unpackbits with a count of more bits than there are", "Append zeros.")
        bits = bits[..., :count]
    return np.moveaxis(bits, -1, axis)


# methods of ufuncs ---------------------------------------------------------------------------------------
def reducing(function):
    def reduce(array, axis=0, dtype=None, keepdims=False, initial=ABSENT, where=True):
        array = np.asarray(array)
        if initial is None and where is not True:
            refuse("a reduction with where= and no start", "Give initial=.")
        if dtype is not None and (function is np.max or function is np.min):
            array = array.astype(dtype)
        elif dtype is not None:
            if initial is not None and initial is not ABSENT:
                refuse("a reduction with dtype= and initial=", "Convert the array before: x.astype(dtype).")
            return function(array, axis, dtype, keepdims=keepdims, where=where)
        if initial is None or initial is ABSENT:
            return function(array, axis, keepdims=keepdims, where=where)
        return function(array, axis, keepdims=keepdims, initial=initial, where=where)
    return reduce


def reducing_truths(function):
    def reduce(array, axis=0, dtype=None, keepdims=False, initial=ABSENT, where=True):
        if dtype is not None or initial is not None and initial is not ABSENT:
            refuse("a reduction of truths with dtype= or initial=", "Leave it out, and convert or combine the result.")
        return function(np.asarray(array), axis, keepdims=keepdims, where=where)
    return reduce


def running(function):
    """Of a function of two that is associative: with the elements 1, 2, 4, ... before."""
    def accumulate(array, axis=0):
        y, d = np.asarray(array), 1
        axis = single_axis(axis, y.ndim)
        while d < y.shape[axis]:
            rest = function(y[along(axis, slice(d, None), y.ndim)], y[along(axis, slice(None, -d), y.ndim)])
            z = y.copy()
            z[along(axis, slice(d, None), y.ndim)] = rest
            y, d = z, 2 * d
        return y.copy()
    return accumulate


def folding(function, least):
    """Of a function of two floats that has no other: one element after the other, as NumPy does it."""
    def reduce(array, axis=0):
        a = np.asarray(array)
        if a.ndim == 0:
            refuse("a reduction of a number", "It is the number itself.")
        if a.dtype.kind != "f":
            a = a.astype(float)
        if known(axis, "it is an axis") is None:
            a, axis = np.ravel(a), 0
        rows = np.moveaxis(a, single_axis(axis, a.ndim), 0)
        y = np.full(rows.shape[1:], least, a.dtype)
        for k in range(len(rows)):
            y[...] = function(y, rows[k])
        return y[()]
    return reduce


def outer(function):
    def of_pairs(A, B):
        a, b = np.asarray(A), np.asarray(B)
        return function(a.reshape(a.shape + (1,) * b.ndim), b)
    return of_pairs


def placed(function, of_floats=False):
    def at(a, indices, b=ABSENT):
        if b is ABSENT:
            raise ValueError("second operand needed for ufunc")
        must_be_arrays("the method at of a ufunc", a)
        if of_floats and (a.dtype.kind not in "fc" or np.asarray(b).dtype != a.dtype):
            refuse(f"np.{function.__name__}.at of {a.dtype} and {np.asarray(b).dtype}", "Convert both to one dtype.")
        axes = np.broadcast_arrays(*indices) if isinstance(indices, tuple) else [np.asarray(indices)]
        if len(axes) == 0 or any([places.dtype.kind not in "iu" for places in axes]):
            refuse("the method at of a ufunc with an index that is no integers", "Give an array of places for an axis.")
        shape = (*axes[0].shape, *a.shape[len(axes):])
        if np.ndim(b) > len(shape):
            raise ValueError("array is not broadcastable to correct shape")
        places = [x.reshape(-1) for x in axes]
        values = np.broadcast_to(b, shape).reshape(len(places[0]), *a.shape[len(axes):])
        for k in range(len(places[0])):
            index = tuple([x[k] for x in places])
            a[index] = function(a[index], values[k])
    return at


def in_turn(function, whole):
    """Of any function of two: one element after the other, as NumPy does it; `whole`: all that comes, or the last."""
    def fold(array, axis=0):
        a = np.asarray(array)
        if a.ndim == 0 or known(axis, "it is an axis") is None:
            refuse(f"a method of np.{function.__name__} of what has not one axis", "Give it an array, and an axis.")
        if a.dtype not in (np.float64, np.float32, np.complex128, np.complex64):
            refuse(f"a method of np.{function.__name__} of {a.dtype}", "Convert the array: x.astype(float).")
        axis = single_axis(axis, a.ndim)
        rows = np.moveaxis(a, axis, 0)
        if not at_least(len(rows), 1):
            refuse(f"a method of np.{function.__name__} of what may be empty", "Test the length before.")
        y = rows.copy()
        for k in range(1, len(y)):
            y[k] = function(y[k - 1], rows[k])
        return np.moveaxis(y, 0, axis) if whole else y[len(y) - 1].copy()[()]
    return fold


def in_parts(reduce):
    """What NumPy's reduceat is of the function whose reduction this is: from each place up to the next one."""
    def reduceat(array, indices, axis=0):
        a, places = np.asarray(array), np.asarray(indices)
        if a.ndim == 0 or places.ndim != 1 or places.dtype.kind not in "iu":
            refuse("the method reduceat of what is no array and a vector of places", "Give it these.")
        if a.dtype not in (np.float64, np.float32, np.complex128, np.complex64, np.int64):
            refuse(f"the method reduceat of {a.dtype}", "Convert the array: x.astype(float).")
        axis = single_axis(axis, a.ndim)
        rows = np.moveaxis(a, axis, 0)
        if np.any((places < 0) | (places >= len(rows))):
            raise IndexError(f"index out-of-bounds in a reduceat of [0, {len(rows)})")
        if not at_least(len(places), 1):
            refuse("the method reduceat of what may be no places", "Test the length before.")
        ends = np.append(places[1:], len(rows))
        y = rows[places]
        for k in range(len(places)):
            if ends[k] > places[k] + 1:
                y[k] = reduce(rows[places[k]:ends[k]], 0)
        return np.moveaxis(y, 0, axis)
    return reduceat


for _ufunc, _reduce in ((np.add, np.sum), (np.multiply, np.prod), (np.maximum, np.max), (np.minimum, np.min)):
    means(_ufunc.reduce, unasked=True)(reducing(_reduce))
    means(_ufunc.reduceat, unasked=True, complex=True)(in_parts(_reduce))
for _ufunc, _reduce in ((np.logical_and, np.all), (np.logical_or, np.any)):
    means(_ufunc.reduce)(reducing_truths(_reduce))
for _ufunc, _least in ((np.logaddexp, -np.inf), (np.logaddexp2, -np.inf), (np.hypot, 0.0)):
    means(_ufunc.reduce)(folding(_ufunc, _least))
# no np.power.reduce and np.arctan2.reduce: on some processors NumPy's are not what their accumulate ends with
for _ufunc in (np.subtract, np.divide, np.fmod, np.fmax, np.fmin):
    means(_ufunc.reduce, unasked=True, complex=True)(in_turn(_ufunc, False))
for _ufunc in (np.subtract, np.divide, np.power, np.arctan2, np.fmod, np.fmax, np.fmin, np.logaddexp, np.logaddexp2,
               np.hypot):
    means(_ufunc.accumulate, unasked=True, complex=True)(in_turn(_ufunc, True))
for _ufunc in dict.fromkeys(x for x in vars(np).values() if isinstance(x, np.ufunc) and x.nin == 2 and x.nout == 1
                            and x.signature is None and x in BY_FUNCTION):
    means(_ufunc.outer, complex=True)(outer(_ufunc))
for _ufunc in (np.maximum, np.minimum):
    means(_ufunc.accumulate)(running(_ufunc))
for _ufunc in (np.multiply, np.maximum, np.minimum):
    means(_ufunc.at, unasked=True, complex=_ufunc is np.multiply)(placed(_ufunc))
for _ufunc in (np.divide, np.power, np.fmax, np.fmin, np.hypot, np.logaddexp):
    means(_ufunc.at, unasked=True, complex=True)(placed(_ufunc, of_floats=True))


@means(np.add.accumulate)
def sums(array, axis=0, dtype=None):
    return np.cumsum(array, single_axis(axis, np.ndim(array)), dtype)


@means(np.multiply.accumulate)
def products(array, axis=0, dtype=None):
    return np.cumprod(array, single_axis(axis, np.ndim(array)), dtype)


@means(np.subtract.at, unasked=True, complex=True)
def subtract_at(a, indices, b):
    b = np.asarray(b)
    np.add.at(a, indices, -b.astype(np.result_type(a, b)))  # of an int8 -128 there is no -b


@means(np.astype, unasked=True)
def astype(x, dtype, /, *, copy=True):
    must_be_arrays("np.astype", x)
    return x.astype(dtype, copy=copy)
