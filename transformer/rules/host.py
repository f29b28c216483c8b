"""What a library computes as a whole on the host: a factorisation, a transform.

    solve = library.host(np.linalg.solve, "(m,m),(m,n)->(m,n)", kernel=..., fails=..., tangent=..., cotangent=...)

is all there is to it: the type of the result, the checks of lengths, the form for many examples and the compiled form
follow from NumPy's own kind of signature, which says what the last axes are of; the axes before them are a stack.
"""
from __future__ import annotations

import functools
import inspect
import re
from typing import Callable

import numpy as np

from ..core import OWN, Block, Op, rename
from ..core.types import Dim, Type, sample
from ..errors.messages import UnsupportedError
from .expr import Formula, atom_of
from .inference import Unbatchable, Untyped, broadcast_dims
from .kinds import ONE, bar_name, conform, dot_name, exprs


@functools.cache
def parsed(signature: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The names of the last axes of each argument, and of each result: "(m,m),(m)->(m)" is [(m, m), (m,)], [(m,)]."""
    return tuple([tuple(filter(None, part.split(","))) for part in re.findall(r"\(([\w,]*)\)", side)]
                 for side in signature.split("->"))


class Host(Op):
    """An operation of a library on whole arrays.

    signature   "(m,m),(m,n)->(m,n)", or a function of the types of the arguments that gives it; "name: (m)->()" where
    NumPy's messages use another name tangent     (results..., arguments..., their tangents, None where there is none)
    -> tangents of the results cotangent   (cotangents of the results..., results..., arguments...) -> cotangents of the
    arguments
                (without them its derivative is refused; `lambda *_: None` says that it is 0)
    stacked     does the library take stacks of arguments?  Else it is called for one example at a time; or a rule of
    its own, as in `batching` kernel      a function that numba compiles: (arguments..., arrays for the results...) of
    one example, floats of one dtype in any memory order,
                -> 0, or the number of one of the exceptions that `fails` has, from 1 on
    fails       ((class, message), ...)
    several     the class of a tuple of several results
    form        what tells it from another operation of the same function, for other shapes
    fixed       arguments of the function, by name, that are the same in all calls
    keeps_order has a result the memory order of the first argument?  Else it is C
    parts       (an operation on the first argument, one on its results and the other arguments that gives the same, one
                that does so of the first argument transposed): for `optimise/factors.py`
    """

    memory = OWN
    asked: str | None = None  # the operation that says of the first argument whether there is a result
    mixed = False  # True: its kernel takes arguments of several dtypes, each as it is
    in_one = False  # True: its kernel takes a whole stack
    placed = False  # True: its kernel takes a number of its place in the program, too

    def __init__(self, fn: Callable, signature, tangent=None, cotangent=None, stacked=True, kernel=None,
                 fails=(), several=tuple, form="", fixed=(), keeps_order=False, parts=()):
        module = re.sub(r"^gradscribe\.runtime\.[\w.]+$", "rt", re.sub(r"^numpy\b", "np", fn.__module__))
        module = re.sub(r"\._\w+$", "", module)  # where SciPy's functions are for users
        self.text, self.fixed = f"{module}.{fn.__name__}", dict(fixed)
        super().__init__(f"{self.text} {form}".strip(), functools.partial(fn, **self.fixed) if fixed else fn)
        self.title = fn.__name__
        self.module = module if fn.__module__.partition(".")[0] not in ("numpy", "gradscribe") else None
        self.signature = (lambda *types: signature) if isinstance(signature, str) else signature
        needed = sum([p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
                      for p in inspect.signature(fn).parameters.values()])
        self.count = len(self.cores(())[0]) if isinstance(signature, str) else needed
        self.keeps_order, self.parts = keeps_order, parts
        self.tangent, self.cotangent, self.stacked, self.kernel, self.fails, self.several = (
            tangent, cotangent, stacked, kernel, fails, several)

    def __call__(self, *args):
        """In a formula: of `Expr`s it is emitted, of numbers computed."""
        first = next((a for a in args if isinstance(a, Formula)), None)
        if first is None:
            return self.fn(*args)
        found = first.b.emit(self, *map(atom_of, args), hint=first.hint)
        return (tuple([Formula(first.b, x, first.hint) for x in found]) if isinstance(found, tuple)
                else Formula(first.b, found, first.hint, own=True))

    def show(self, args, params):
        return f"{self.text}({', '.join([*args, *[f'{k}={x!r}' for k, x in self.fixed.items()]])})"

    # types ---------------------------------------------------------------------------------------
    def cores(self, types) -> tuple[list, list, str]:
        """(names of the last axes of the arguments, and of the results, what NumPy's messages call the function)"""
        name, _, text = self.signature(*types).rpartition(":")
        return *parsed(text.strip()), name or self.title

    def infer(self, b, args, params):
        types = [b.type(a) for a in args]
        inputs, outputs, _ = self.cores(types)
        lengths: dict[str, Dim] = {}
        for t, core in zip(types, inputs):
            for name, d in zip(core, t.dims[t.rank - len(core):]):
                assert lengths.setdefault(name, d) == d, (self.name, types)
        stack = broadcast_dims([Type("array", t.dtype, t.dims[:t.rank - len(core)]) for t, core in zip(types, inputs)])
        dims = [(*stack, *(lengths[n] for n in core)) for core in outputs]
        return tuple([Type("array" if d else "np", dtype, d) for d, dtype in zip(dims, self.dtypes(tuple(types)))])

    def order(self, orders, params):
        return orders[0] if self.keeps_order else "C"

    def may_raise(self, let, types, known):
        return bool(self.fails)

    def dtypes(self, types) -> list[np.dtype]:
        return dtypes_of_results(self, tuple([Type("array", t.dtype, (ONE,) * t.rank) for t in types]))

    # derivatives ---------------------------------------------------------------------------------
    def jvp(self, b, let, tangents):
        if all(t is None for t in tangents):
            return (None,) * len(let.names)
        if self.tangent is None:
            raise self.without_derivative(let)
        hint = dot_name(let.names[0])
        dots = [None if t is None else Formula(b, t, hint) for t in tangents]
        found = self.tangent(*exprs(b, (*let.names, *let.args), hint), *dots)
        found = found if isinstance(found, tuple) else (found,)
        return tuple([None if y is None else conform(b, y, b.type(n), dot_name(n)) for n, y in zip(let.names, found)])

    def vjp(self, b, let, cotangents, wanted):
        if all(g is None for g in cotangents) or not any(wanted):
            return [None] * len(let.args)
        if self.cotangent is None:
            raise self.without_derivative(let)
        first = len(b.stmts)
        given = [None if g is None else Formula(b, g) for g in cotangents]
        found = self.cotangent(*given, *exprs(b, (*let.names, *let.args), "t"))
        found = named_cotangents(b, first, found if isinstance(found, tuple) else (found,), let.args)
        return [conform(b, g, b.type(a), bar_name(a)) if w and g is not None else None
                for g, a, w in zip(found, let.args, wanted)]

    def without_derivative(self, let):
        return UnsupportedError(let.origin, f"the derivative of {self.name}",
                                instead="Take it as constant: gs.stop_gradient.")

    # many examples -------------------------------------------------------------------------------
    def across(self, c):
        """The results for all examples: their axis is one more of the stack."""
        if callable(self.stacked):
            return self.stacked(c)
        if not self.stacked:
            raise Unbatchable(f"{self.name} has no form for several examples")
        return larger_stack(c)


def larger_stack(c):
    """The operation on stacks with the examples along a first axis;
    other axes of length 1 let them broadcast as they do for one example."""
    types = [c.type(k) for k in range(len(c.args))]
    own = [t.rank - len(core) for t, core in zip(types, c.let.op.cores(types)[0])]
    index = [(":",) + ("n",) * (max(own) - n) + (":",) * t.rank for n, t in zip(own, types)]
    return c.again(*[c.emit("getitem", x, index=at) if differs and "n" in at else x
                     for x, at, differs in zip(c.args, index, c.batched)])


def named_cotangents(b, first: int, found: tuple, args) -> list:
    """The cotangents of arguments, called after these; what else a formula computes has no name."""
    atoms = [None if g is None else atom_of(g) for g in found]
    made = {n for stmt in b.stmts[first:] for n in stmt.names}
    mapping = {g: b.fresh(bar_name(a), b.type(g)) for g, a in zip(atoms, args) if g in made}
    b.stmts[first:] = rename(Block(tuple(b.stmts[first:])), mapping).stmts
    return [mapping.get(g, g) for g in atoms]


@functools.lru_cache(maxsize=None)
def dtypes_of_results(op: Host, types: tuple[Type, ...]) -> list[np.dtype]:
    """The dtypes of the results: the library is asked, with arrays of one element."""
    try:
        with np.errstate(all="ignore"):
            found = op.fn(*map(sample, types))
    except TypeError as error:
        raise Untyped(error) from None
    return [np.asarray(x).dtype for x in (found if isinstance(found, tuple) else (found,))]
