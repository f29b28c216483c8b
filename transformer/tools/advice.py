"""What to do about a line whose derivative is not right."""
from __future__ import annotations

from ..core import UNNAMED, whose
from ..rules.kept_calls import CustomJvp, CustomVjp
from .slopes import OVERFLOW, POLE, REFUSED, SINGULARITIES, UNDEFINED

SETTERS = {CustomJvp: "defjvp", CustomVjp: "defvjp"}
REMEDIES = {
    POLE: "Keep the operands away from there, or choose: what np.where(x > 0, np.log(x), 0.0) does not choose has no "
          "part in a derivative.",
    OVERFLOW: "The number is too large for its dtype: scale the operands, or compute with logarithms, as np.logaddexp "
              "does.",
    UNDEFINED: "The operands are outside of the domain: test them before, or choose with np.where."}
ALONE = ("No statement is wrong by itself. A value that is held fixed on purpose makes such a difference, and so does "
         "a branch that changes near these arguments: verify others, and report it if it stays.")


def advice(line, alone: bool) -> str:
    """What is wrong with a line, and what to do; `alone`: it is the whole function, and no statement is wrong."""
    found, verdict = line.found, line.found.verdict
    if verdict == REFUSED:
        return f"{found.said.message}\n{found.said.instead}".strip()
    what = found.numbers[0] if len(found.numbers) == 1 else compared(line)
    if line.op is None:
        return f"{what}\n{REMEDIES.get(verdict, ALONE) if alone else 'The other lines that are marked say why.'}"
    if verdict in SINGULARITIES:
        return f"{line.op.name.strip()}: {what}\n{REMEDIES[verdict]}"
    setter = SETTERS.get(type(line.op))
    if setter is None:
        return (f"{line.op.name.strip()}: {what}\nThis rule is Gradscribe's: please report the line. Until then write "
                f"one of your own: gs.custom_jvp.")
    return f"the rule of {line.op.title}: {what}\nCorrect what {line.op.title}.{setter} was given."


def compared(line) -> str:
    """The two slopes that differ, and what was moved."""
    (given, slope), name = line.found.numbers, whose(line.found.operand or "t")
    of = f" where {name} moves" if not UNNAMED.match(name) else ""
    return f"it gives {given:.6g}{of}, and differences of the value give {slope:.6g}"
