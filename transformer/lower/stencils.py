"""Which stores of a run are gathered: those into one array, at places that are moved against each other by numbers.

    t = kernel(g)
    y[:-2] += t             # each element of y gets all its terms at once: gather.py
    y[2:] += t
"""
from __future__ import annotations

from ..core import SAME, VIEW, Const, Fun, Let, Store, names_among
from ..core.index_codes import entries


def can_gather(runs, run, stores: list[tuple]) -> bool:
    """May each element of a target get all its terms at once, and is it worth it that values are computed again?"""
    targets: dict[str, list[tuple]] = {}
    for value, store in stores:
        targets.setdefault(store.target, []).append((value, store))
    read = [v for v, _ in stores] if run.kernel is None else (*run.kernel.args, *run.kernel.names)
    return (len(targets) < len(stores) and runs.apart_from(targets, read)
            and all(a == b or runs.apart(a, b) for a in targets for b in targets)
            and all(moved_alike(runs, own) for own in targets.values())
            and spares(run.kernel, [v for v, _ in stores if isinstance(v, str)]))


def moved_alike(runs, stores: list[tuple]) -> bool:
    """Are these stores into one array the same but for numbers that their parts are moved by, and all sums?  The first
    may be none where no two places are one, as they may be in an argument."""
    first = stores[0][1]
    indices = {common_index(store) for _, store in stores}
    dims = [runs.types[v].dims for v, _ in stores if isinstance(v, str)]
    return (runs.types[first.target].dtype.kind == "f" and None not in indices and len(indices) == 1
            and all(store.add for _, store in stores[1:]) and (first.add or not runs.memory.is_argument(first.target))
            and all(runs.same(a, b) for own in dims for a, b in zip(own, dims[0])))


def common_index(store: Store) -> tuple | None:
    """What is the same in the indices of stores whose places are moved by numbers: all but where slices begin and
    end."""
    found = []
    for code, own in entries(store.index, store.atoms):
        if code == "i":
            found.append(own)
        elif code == ":" or code[0] == "s" and begins_at_number(*own):
            found.append(":")
        else:
            return None
    return tuple(found)


def begins_at_number(start, stop, step) -> bool:
    return step in (None, Const(1)) and (start is None or isinstance(start, Const) and start.value >= 0)


def spares(kernel: Let | None, values: list[str]) -> bool:
    """Is computing values again for each store no more than the loads and stores that are spared, three for each?"""
    needed = [light_parts(kernel.op.fun, value) if kernel else {value} for value in values]
    return None not in needed and sum(map(len, needed)) - len(set().union(*needed)) <= 3 * len(values)


def light_parts(fun: Fun, value: str) -> set[str] | None:
    """The loads and the operations that compute an element of a value of a kernel; None if some are not light."""
    made = {s.name: s for s in fun.body.stmts if len(s.names) == 1}
    found, todo = set(), [value]
    while todo:
        name = todo.pop()
        let = made.get(name)
        if let is None:
            found |= {name} if fun.types[name].rank else set()
            continue
        if let.op.light:
            found.add(name)
        elif let.op.memory not in (VIEW, SAME) or "a" in let.param("index", ()):
            return None
        todo += names_among(let.args)
    return found
