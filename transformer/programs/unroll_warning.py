"""What is written out round by round makes long programs: say so, with the line of the loop."""
from __future__ import annotations

from collections import Counter

from ..core import Let, operands, walk
from ..errors.messages import Origin, UnrolledWarning, warn_at
from ..readable.hints import is_temporary

LONG = 500  # lines of readable source
MUCH = 100  # names that the rounds after the first bind


def warn_of_rounds(program, name: str) -> bool:
    """Warn, if a program is long because of a loop that is written out; whether it was."""
    found = longest(program.spec.facts.written_out)
    lines = 0 if found is None else lines_of(program.optimised)
    if lines > LONG:
        origin, rounds = found
        warn_at(origin, f"{name}: {lines} lines of source or so, since `{origin.first_text}` at {origin.place} is "
                f"written out: {rounds} rounds. It takes long to transform, and to compile. A loop over an array or a "
                "range stays a loop where lists in it only grow, by append, and where what one round hands on to the "
                "next keeps its kind and its shape.", UnrolledWarning)
    return lines > LONG


def lines_of(fun) -> int:
    """About how many lines the source of a core function has: what is read once, and has no name of the user's, goes
    into the line that reads it.  (To write the source, only to count its lines, takes as long as all else.)"""
    stmts = walk(fun.body)
    if len(stmts) <= LONG:
        return 0
    read = Counter([a for stmt in stmts for a in operands(stmt) if isinstance(a, str)])
    return sum([not (isinstance(stmt, Let) and len(stmt.names) == 1 and read[stmt.name] == 1
                     and is_temporary(stmt.name)) for stmt in stmts])


def longest(written_out: dict) -> tuple[Origin, int] | None:
    """The loop whose rounds after the first bind most names, and how many rounds it has; None where they are few."""
    places: dict[tuple, list] = {}
    for origin, (rounds, names) in written_out.items():
        if isinstance(origin, Origin):
            own = places.setdefault((origin.file, origin.line, origin.col), [0.0, rounds, origin])
            own[0] += names * (rounds - 1) / max(rounds, 1)
            own[1] = max(own[1], rounds)
    more, rounds, origin = max(places.values(), key=lambda own: own[0], default=(0, 0, None))
    return (origin, rounds) if more >= MUCH else None
