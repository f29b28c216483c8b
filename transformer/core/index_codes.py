"""How a part of an array is named.

An index is static structure (`index`, one code per entry) over run-time atoms:

    ":"     the whole axis                  "n"   a new axis
    "i"     an integer (one atom)           "a"   an array of integers (one atom)
    "sABC"  a slice; A, B, C are "1" where start, stop, step are given (one atom each)

>>> spell(("i", "s101"), ["k", "a", "-1"])
'k, a::-1'
"""


def spell(index, atoms) -> str:
    """The index as the source writes it."""
    atoms, parts = iter(atoms), []
    for code in index:
        if code[0] == "s":
            start, stop, step = (next(atoms) if flag == "1" else "" for flag in code[1:])
            parts.append(f"{start}:{stop}" + (f":{step}" if step else ""))
        else:
            parts.append({":": ":", "n": "None"}.get(code) or next(atoms))
    return ", ".join(parts) or "()"


def entries(index, atoms):
    """[(code, its atoms)]: a slice has three, None where not given."""
    atoms, out = iter(atoms), []
    for code in index:
        if code[0] == "s":
            out.append((code, tuple(next(atoms) if flag == "1" else None for flag in code[1:])))
        else:
            out.append((code, (next(atoms),) if code in "ia" else ()))
    return out


def codes_of_axes(index, rank: int) -> tuple[str, ...]:
    """The codes of an index of an array of this rank, with one for each of its axes."""
    return (*index, *(":",) * (rank - sum(code != "n" for code in index)))
