"""Products: bilinear, so that each argument's cotangent is a product again."""
import operator

import numpy as np

from ..core import OWN, Op
from ..core.types import Type
from .inference import Unaligned, broadcast_dims
from .kinds import ONE, Bilinear, dim_atom, dim_atoms
from .registry import OPS, register


def _product_dtype(b, args):
    kinds = [b.type(a) for a in args]
    return np.result_type(*(t.dtype for t in kinds))


def _matmul_type(b, args):
    """(..., m, k) @ (..., k, n), and vectors at either side."""
    x, y = (b.type(a) for a in args)
    if x.dims[-1] != y.dims[max(0, y.rank - 2)]:
        raise Unaligned(1, 0)
    batch = broadcast_dims([Type("array", x.dtype, x.dims[:-2]), Type("array", y.dtype, y.dims[:-2])])
    dims = batch + (x.dims[-2:-1] if x.rank > 1 else ()) + (y.dims[-1:] if y.rank > 1 else ())
    dtype = _product_dtype(b, args)
    return Type("array", dtype, dims) if dims else Type("np", dtype)


def swap(x):
    """The last two axes exchanged."""
    rank = x.type.rank
    return x.apply(OPS["np.transpose"], x, axes=(*range(rank - 2), rank - 1, rank - 2))


def outer_formula(x, y):
    return x.apply(OPS["np.outer"], x, y)


def index_formula(x, *index):
    """x[index] of new axes and whole ones."""
    return x.apply(OPS["getitem"], x, index=index)


def rows(x, count: int):
    """All but the last `count` axes as one."""
    dims = x.type.dims
    total = ONE
    for d in dims[:len(dims) - count]:
        total = total * d
    return x.apply(OPS["np.reshape"], x, dim_atom(x.b, total), *dim_atoms(x.b, dims[len(dims) - count:]))


def _matmul_left(g, x, y):
    match x.type.rank, y.type.rank:
        case 1, 1:
            return g * y
        case 1, 2:
            return y @ g
        case 1, n:
            return np.sum(y * index_formula(g, *(":",) * (n - 2), "n", ":"), axis=(n - 1,), keepdims=False)
        case 2, 1:
            return outer_formula(g, y)
        case m, 1:
            return index_formula(g, *(":",) * (m - 1), "n") * y
    return g @ swap(y)


def _matmul_right(g, x, y):
    match x.type.rank, y.type.rank:
        case 1, 1:
            return g * x
        case 1, 2:
            return outer_formula(x, g)
        case 1, n:
            return index_formula(x, ":", "n") * index_formula(g, *(":",) * (n - 2), "n", ":")
        case m, 1 if m > 2:
            return swap(rows(x, 1)) @ rows(g, 0)
        case m, 2 if m > 2:
            return swap(rows(x, 1)) @ rows(g, 1)
    return swap(x) @ g


register(Bilinear("matmul", operator.matmul, _matmul_type, _matmul_left, _matmul_right, symbol="@"),
         np.matmul, operator.matmul)


def _outer(b, args):
    x, y = (b.type(a) for a in args)
    return Type("array", _product_dtype(b, args), (x.dims[0], y.dims[0]))


register(Bilinear("np.outer", np.outer, _outer, lambda g, x, y: g @ y, lambda g, x, y: x @ g))


class Contraction(Op):
    """np.einsum of two arrays or more, each letter once in each: what passes make of products and sums when no
    derivative is left to take."""

    memory = OWN
    safe = complex = True

    def order(self, orders, params):
        return None

    def infer(self, b, args, params):
        terms, out = letters_of(params["subscripts"])
        dims: dict = {}
        for term, t in zip(terms, map(b.type, args)):
            for letter, dim in zip(term, t.dims):
                if dims.setdefault(letter, dim) != dim:
                    raise Unaligned(1, 0)
        return (Type("array", _product_dtype(b, args), tuple(dims[letter] for letter in out)),)

    def show(self, args, params):
        return f'np.einsum("{params["subscripts"]}", {", ".join(args)}, optimize=True)'


def letters_of(subscripts: str) -> tuple[list[str], str]:
    """The letters of each array, and those of the result."""
    left, _, out = subscripts.partition("->")
    return left.split(","), out


register(Contraction("np.einsum", lambda *xs, subscripts: np.einsum(subscripts, *xs, optimize=True)))
