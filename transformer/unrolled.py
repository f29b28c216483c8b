"""What is written out round by round makes long programs: say so, with the line of the loop."""
from __future__ import annotations

from .core import walk
from .errors import Origin, UnrolledWarning, warn_at

LONG = 500  # lines of readable source
MUCH = 100  # names that the rounds after the first bind


def warn_of_rounds(program, name: str) -> bool:
    """Warn, if a program is long because of a loop that is written out; whether it was."""
    found = longest(program.spec.written_out)
    if found is None or sum(1 for _ in walk(program.optimised.body)) <= LONG:
        return False
    source = program.source()
    if not program.owner.compiled:
        program.readable = source  # what runs is not to be written twice
    lines = source.text.count("\n")
    if lines > LONG:
        origin, rounds = found
        warn_at(origin, f"{name}: {lines} lines of source, since `{origin.first_text}` at {origin.place} is written "
                f"out: {rounds} rounds. It takes long to transform, and to compile. A loop over an array or a range "
                "stays a loop where lists in it only grow, by append, and where what one round hands on to the next "
                "keeps its kind and its shape.", UnrolledWarning)
    return lines > LONG


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
