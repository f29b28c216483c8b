"""Where variables that refer to memory end: `del` after the last use of each, and where a way on does not use it.

numba finds the same for all variables, and twice, in time that grows with the square of the function: a seventh of what
a function of 2,000 lines took.  Numbers have no end, and what refers to memory is a small part of the variables.
"""
from __future__ import annotations

from numba.core import ir


def end_variables(blocks: dict[int, ir.Block], counted: set[str]) -> None:
    """Insert the ends of these variables; what a block returns goes to the caller.  A variable may end where it is not
    bound: it refers to nothing there."""
    bits = {name: 1 << k for k, name in enumerate(sorted(counted))}  # sets of variables are the bits of an integer
    read, bound = {}, {}
    for label, block in blocks.items():
        read[label], bound[label] = read_and_bound(block, bits)
    after = live_after(blocks, read, bound)
    before = {label: read[label] | after[label] & ~bound[label] for label in blocks}
    ends = dict.fromkeys(blocks, 0)
    for label, block in blocks.items():
        for way in block.terminator.get_targets():
            ends[way] |= after[label] & ~before[way] & ~bound[way]
    names = {bit: name for name, bit in bits.items()}
    for label, block in blocks.items():
        kept = after[label] | mentioned_bits(block.terminator, bits)
        first = [ir.Del(name, block.loc) for name in variables_of_bits(ends[label], names)]
        block.body = [*first, *with_ends(block, bits, names, kept), block.terminator]


def variables_of_bits(found: int, names: dict[int, str]):
    """The variables whose bits are set."""
    while found:
        bit = found & -found
        yield names[bit]
        found -= bit


def mentioned_bits(part, bits: dict[str, int]) -> int:
    """The variables of a statement, or of what one assigns."""
    found = 0
    for variable in [part] if isinstance(part, ir.Var) else part.list_vars() if hasattr(part, "list_vars") else ():
        found |= bits.get(variable.name, 0)
    return found


def read_and_bound(block, bits: dict[str, int]) -> tuple[int, int]:
    """The variables that a block reads before it binds them, and those that it binds."""
    read = bound = 0
    for stmt in block.body:
        if isinstance(stmt, ir.Assign):
            read |= mentioned_bits(stmt.value, bits) & ~bound
            bound |= bits.get(stmt.target.name, 0)
        else:
            read |= mentioned_bits(stmt, bits) & ~bound
    return read, bound


def live_after(blocks, read: dict[int, int], bound: dict[int, int]) -> dict[int, int]:
    """The variables that are read after each block before they are bound anew."""
    after, changing = dict.fromkeys(blocks, 0), True
    while changing:
        changing = False
        for label in sorted(blocks, reverse=True):
            live = 0
            for way in blocks[label].terminator.get_targets():
                live |= read[way] | after[way] & ~bound[way]
            changing |= live != after[label]
            after[label] = live
    return after


def with_ends(block, bits: dict[str, int], names: dict[int, str], kept: int):
    """The statements of a block but the last, each followed by the ends of what it is the last to mention."""
    body = []
    for stmt in reversed(block.body[:-1]):
        ending = mentioned_bits(stmt, bits) & ~kept
        kept |= ending
        body += [ir.Del(name, stmt.loc) for name in variables_of_bits(ending, names)]
        body.append(stmt)
    return reversed(body)
