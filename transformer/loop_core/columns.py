"""Sums down columns, by groups of threads, and in two stages where columns are long and few.

    for j in range(m):  [independent]        for j in range(m):  [independent]
        for i in range(n):             ->        total = y[j]
            y[j] = y[j] + x[i, j]                for i in range(n):
                                                     total = total + x[i, j]
                                                 y[j] = total

A thread would come back to y[j] in memory for each row; a number is in a register, and the lanes of a group can take
parts of it together (`lanes`).  A group has 1024 threads at most, so a few columns would leave most of a GPU idle:
there many groups reduce blocks of 1024 rows, and others take the blocks together, in their order (`partials`).

    if gpu.in_stages(n, m):
        parts = rm.empty((rs.blocks(n), m), np.float64)
        for block in range(rs.blocks(n)):  [independent]
            for j in range(m):  [independent]
                part = 0.0
                for i in range(1024 * block, rs.block_end(block, n)):
                    part = part + x[i, j]
                parts[block, j] = part
        for j in range(m):  [independent]
            total = y[j]
            for block in range(rs.blocks(n)):
                total = total + parts[block, j]
            y[j] = total
    else:
        ...
"""
from __future__ import annotations

from dataclasses import replace
from typing import Callable

from . import facts as known
from .coalesce import renamed_uses
from .core import BOOL, I8, Alloc, Assign, Call, Expr, If, Load, Loop, Name, Num, Share, Stmt, Store
from .facts import walk_loops
from .nests import Nests, ParallelNest
from .partials import BLOCK, FEW, in_blocks, parted_body, second_stage, stage_results
from .rounds import around, has_fewer_rounds, is_plain_range, loop_trip_count, perfect
from .walking import mapped, names_bound, names_in

Running = dict[tuple[Name, tuple[Expr, ...]], Name]  # of an element that a loop comes back to, the number for it


def columns_by_groups(loop: Loop, nests: Nests, fresh: Callable[[str], str]) -> Stmt | None:
    """What takes the place of independent loops around sums; None of others.

    fresh  gives names that nothing has
    """
    nest = nests.nest(loop)
    if loop.share or nest is None or nest.private or len(nest.body) != 1 or not are_of_lowering(nest):
        return None
    sums = nest.body[0]
    running = running_elements(nest, nests.arrays, fresh)
    if not running:
        return None
    apart = Share(tuple([array for array, _ in running]), 1, False)
    nest = replace(nest, loops=tuple([replace(x, share=apart) for x in nest.loops]))
    numbers = in_numbers(sums, running)
    whole = around(nest.loops, taken_in(running, numbers))[0]
    stages = both_stages(nest, numbers, running, fresh) if is_row_by_row(numbers, loop, nests) else None
    if stages is None:
        return whole
    counts = Call("gpu.count", nest.counts, I8)
    return If(Call("gpu.in_stages", (loop_trip_count(sums), counts), BOOL), tuple(stages), (whole,))


def are_of_lowering(nest: ParallelNest) -> bool:
    """Are all loops lowering's?  Those are over whole arrays: an element that they would store into is there, also
    where a loop has no rounds."""
    inner = nest.body[0]
    return isinstance(inner, Loop) and all(x.kind != "sequential" for x in (*nest.loops, *perfect(inner)[0]))


def running_elements(nest: ParallelNest, arrays: known.Arrays, fresh) -> Running:
    """The elements that all rounds of the loop store into, and that are all that they touch of an array.

    Not of narrow integers: an element keeps its width, where numba makes 64 bits of a sum of two.
    """
    indices = {x.index for x in nest.loops}
    touched: dict[str, set[tuple]] = {}
    for name, index, _ in known.accesses(nest.body, arrays):
        touched.setdefault(arrays.memory(name), set()).add((name, index))
    stored = dict.fromkeys((s.array, s.index) for s in walk_loops(nest.body) if isinstance(s, Store)
                           and s.value.dtype == s.array.dtype and (s.array.dtype.kind in "fcb" or s.array.dtype == I8))
    return {(array, index): Name(fresh("total"), array.dtype) for array, index in stored
            if all(isinstance(e, Num) or e in indices for e in index)
            and touched[arrays.memory(array.id)] == {(array.id, index)}}


def in_numbers(stmt: Stmt, running: Running) -> Stmt:
    """The statement with numbers in the place of elements."""
    def expression(e):
        if isinstance(e, Load) and (e.array, e.index) in running:
            return running[e.array, e.index]
        return mapped(e, expression)

    def statement(s):
        if isinstance(s, Store) and (s.array, s.index) in running:
            number, value = running[s.array, s.index], expression(s.value)
            return Assign(number, number + value if s.add else value)
        return mapped(s, expression, lambda block: tuple(map(statement, block)))

    return statement(stmt)


def taken_in(running: Running, sums: Stmt) -> tuple[Stmt, ...]:
    """The numbers as the elements are, what sums them up, and the elements as the numbers are then."""
    return (*[Assign(number, Load(*element)) for element, number in running.items()], sums,
            *[Store(*element, number) for element, number in running.items()])


def is_row_by_row(sums: Loop, loop: Loop, nests: Nests) -> bool:
    """May rows, which all columns have, be shared out: is what else they store each row's own?"""
    bound = names_bound([loop])
    return (is_plain_range([sums]) and not any(isinstance(s, Loop) for s in walk_loops(sums.body))
            and not any(n.id in bound for n in names_in(sums.stop))
            and not known.disjoint_arrays(sums.body, sums.index, bound, nests.arrays, nests.fresh(loop)))


def both_stages(nest: ParallelNest, sums: Loop, running: Running, fresh) -> list[Stmt] | None:
    """The two stages, under names of their own; None where few rows are known to be there, or nothing is a sum."""
    lasting = {number.id for number in running.values()}
    blocked = in_blocks(sums, lasting, fresh)
    found = blocked and parted_body(blocked.body, lasting, fresh)
    if not found or has_fewer_rounds([blocked], FEW // BLOCK) or not all(is_plain_range([x]) for x in nest.loops):
        return None
    own, together = found
    parts, columns = stage_results(own, together, fresh), tuple([x.index for x in nest.loops])
    over_blocks = replace(blocked, kind="independent", share=nest.loops[0].share)
    each = (*own, *[Store(array, (blocked.index, *columns), n) for n, array in parts.items()])
    last = taken_in(running, second_stage([blocked], together, parts, fresh, columns))
    return [*[Alloc(p, (blocked.stop, *nest.counts), early=True) for p in parts.values()],
            under_new_names(around([over_blocks, *nest.loops], each)[0], fresh),
            under_new_names(around(nest.loops, last)[0], fresh)]


def under_new_names(stmt: Stmt, fresh) -> Stmt:
    names = {name: fresh(name.rstrip("_0123456789") or name) for name in sorted(names_bound([stmt]))}
    return renamed_uses([stmt], lambda name: names.get(name, name))[0]
