"""Calls of what a library computes as a whole (`rules/host.py`):
lengths that it needs equal are made sure of, with its own words."""
from __future__ import annotations

from ...core import Atom, split_name
from ...core.types import Dim, Type, sample
from ...rules.host import Host
from ...rules.kinds import ONE
from ..domain import values as v
from ..evaluator.arrays.signatures import tried_now
from ..evaluator.names.tables import calls

SQUARE = "numpy.linalg:LinAlgError", "Last 2 dimensions of the array must be square"


@calls(Host)
def call_host(s, op, args, kwargs):
    """The value of a call; of several results a tuple of the class that the library gives."""
    atoms = [s.atom(s.wrap_array(s.array_of(a) if isinstance(a, (v.Tuple, v.Boxed)) else s.present(a)))
             for a in (*args, *kwargs.values())]
    types = [s.b.type(a) for a in atoms]
    # what it says of these dtypes and numbers of axes
    tried_now(s, op.fn, *[sample(Type("array", t.dtype, (ONE,) * t.rank)) for t in types])
    inputs, outputs, name = op.cores(types)
    lengths: dict[str, tuple[Dim, int]] = {}
    for k, (t, core) in enumerate(zip(types, inputs)):
        at = t.rank - len(core)
        for axis, n in enumerate(core):
            have, (first, where) = t.dims[at + axis], lengths.setdefault(n, (t.dims[at + axis], k))
            kind, message = SQUARE if where == k else (
                "ValueError", f"{name}: Input operand {k} has a mismatch in its core dimension {axis}, with gufunc "
                f"signature {written_cores(inputs)}->{written_cores(outputs)} (size {{}} is different from {{}})")
            s.make_sure(have, "==", first, kind, message, (have, first) if "{}" in message else ())
        atoms[k] = renamed_dims(s, atoms[k], (*t.dims[:at], *(lengths[n][0] for n in core)))
    result = s.emit(op.name, *one_stack(s, atoms, inputs, [lengths[n][0] for n in outputs[0]]))
    if len(outputs) == 1:
        return s.wrap(result)
    return v.Tuple(tuple([s.wrap(r) for r in result]), op.several)


def written_cores(cores) -> str:
    return ",".join(f"({','.join(core)})" for core in cores)


def renamed_dims(s, atom: Atom, dims: tuple[Dim, ...]) -> Atom:
    """The array under the names of lengths that are known to be equal to its own."""
    return atom if s.b.type(atom).dims == dims else s.emit("retype", atom, hint=split_name(atom)[0], dims=dims)


def one_stack(s, atoms: list[Atom], inputs, requested) -> list[Atom]:
    """The arguments, whose axes before the last ones broadcast."""
    types = [s.b.type(a) for a in atoms]
    stacks = [t.dims[:t.rank - len(core)] for t, core in zip(types, inputs)]
    longest = max(stacks, key=len)
    if all(stack in ((), longest) for stack in stacks):
        return atoms
    message, numbers = unstackable(types, stacks, requested)
    common: dict[int, Dim] = {}  # by the place from behind
    for stack in stacks:
        for k, d in enumerate(reversed(stack)):
            if not d.is_one and common.setdefault(k, d) != d:
                s.neither_stretches(common[k], d)
                s.make_sure(d, "==", common[k], "ValueError", message, numbers)
    return [renamed_dims(s, a, (*(d if d.is_one else common[len(stack) - 1 - k] for k, d in enumerate(stack)),
                                *s.b.type(a).dims[len(stack):]))
            for a, stack in zip(atoms, stacks)]


def unstackable(types, stacks, requested) -> tuple[str, list[Dim]]:
    """What NumPy says of axes that do not broadcast, and the lengths to fill in."""
    shapes = " ".join([f"({blanks(t.dims)})->({blanks(stack, t.rank - len(stack))})"
                       for t, stack in zip(types, stacks)])
    return (f"operands could not be broadcast together with remapped shapes [original->remapped]: {shapes}  and "
            f"requested shape ({blanks(requested)})", [d for t, stack in zip(types, stacks) for d in (*t.dims, *stack)]
            + requested)


def blanks(dims, more: int = 0) -> str:
    return ",".join(["{}"] * len(dims) + ["newaxis"] * more)
