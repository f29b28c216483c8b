#!/usr/bin/env python3
"""Writes docs/rules.md from the tables of rules: python docs/make_rules.py

Every formula is the text of the rule itself, and every signature that of the handler, so that the page cannot say
anything else than the program does.  tests/project/test_rules_page.py compares.
"""
from __future__ import annotations

import builtins
import inspect
import math
import operator
import re
from pathlib import Path

import gast
import numpy as np
from scipy import linalg, special

import gradscribe as gs
from gradscribe import runtime
from gradscribe.transformer.frontend.capture import capture
from gradscribe.transformer.library.distributions import SIGNATURES
from gradscribe.transformer.library.registry import FUNCTIONS, METHODS, Kept, everything
from gradscribe.transformer.rules import BY_FUNCTION, OPS
from gradscribe.transformer.rules.host import Host
from gradscribe.transformer.rules.kinds import Bilinear, Elementwise, Inactive, Linear, Reduction
from gradscribe.transformer.rules.operators import Selection
from gradscribe.transformer.rules.signatures import is_numpy, signature as numpy_signature
from gradscribe.transformer.specialise.domain import values as v
from gradscribe.transformer.specialise.evaluator.objects.foreign import is_scipys
from gradscribe.transformer.specialise.refusals.impure import title_of

everything()
PAGE = Path(__file__).parent / "rules.md"
HEAD = """\
# Rules

<!-- Written by docs/make_rules.py from the tables of rules; do not edit. -->

Every function with a rule, and its derivative as the rule has it. What is not here is refused with an error that says so;
write it with these, or in plain Python: a function of yours needs no rule.

A rule is a formula. Broadcasting, sums over broadcast axes, dtypes and accumulation are the same for all of them and are done
elsewhere. In the formulas `y` is the result, `g` its cotangent, and the other names are the arguments. At kinks the
derivative of `abs` is 0, and `maximum` and `max` share ties equally: [kinks.md](kinks.md).
"""
LINEAR = {"np.reshape": "`g`, reshaped back", "np.transpose": "`g`, transposed back", "np.concatenate": "slices of `g`",
          "np.stack": "slices of `g`", "np.broadcast_to": "`g`, summed over the new axes", "np.copy": "`g`", "np.asarray": "`g`",
          "np.cumsum": "`np.cumsum(g[::-1])[::-1]`"}
MADE_OF = {
    "np.add.at": "of a store that adds: of the value `g` there", "np.array": "of `np.stack`", "np.ascontiguousarray": "of `np.copy`",
    "np.clip": "of `np.maximum` and `np.minimum`", "np.dot": "of `x @ y`", "np.expand_dims": "of `x[None]`", "np.full": "of the value: `g`, summed",
    "np.full_like": "of the value: `g`, summed", "np.hstack": "of `np.concatenate`", "np.inner": "of `x @ y`",
    "np.linspace": "of `start + (stop - start) * k / (num - 1)`", "np.ravel": "of `np.reshape`", "np.squeeze": "of `x[0]`",
    "np.sort": "of `x[np.argsort(x)]`", "np.std": "of `np.sqrt(np.var(x))`", "np.swapaxes": "of `np.transpose`", "np.var": "of `np.mean((x - np.mean(x)) ** 2)`",
    "np.vdot": "of `x @ y`", "np.moveaxis": "of `np.transpose`", "np.vstack": "of `np.concatenate`", "np.float64": "`g`; of ints and bools none"}
OTHERWISE = "by what it is made of"
NUMBERS = {"abs": "x", "bool": "x", "divmod": "x, y", "float": "x", "int": "x", "pow": "base, exp, mod=None", "round": "x, digits=None"}
MATH = {"dist": "p, q", "hypot": "*coordinates", "isclose": "a, b, rel_tol=1e-09, abs_tol=0.0", "ldexp": "x, n", "log": "x, base=math.e", "prod": "items, start=1",
        "pow": "x, y", "remainder": "x, y", "comb": "n, k", "perm": "n, k", "gcd": "*integers", "lcm": "*integers", "factorial": "n", "isqrt": "n", "fsum": "items"}
MATH_OF = {"dist": "of `np.hypot`", "degrees": "`180 / math.pi`", "radians": "`math.pi / 180`", "fabs": "of `np.absolute`", "ldexp": "`2**n`", "modf": "`1`, none",
           "prod": "of `a * b`", "remainder": "of `np.fmod`", "pow": "of `a ** b`",
           **dict.fromkeys(("ceil", "floor", "trunc", "isclose", "isfinite", "isinf", "isnan"), "none"),
           **dict.fromkeys(("comb", "perm", "gcd", "lcm", "factorial", "isqrt", "fsum", "frexp", "ulp"), "none: of what is known before the run")}
NOT_OF_FLOATS = ("np.dtype", "np.finfo", "np.iinfo", "np.issubdtype", "np.result_type", "np.ndim", "np.shape", "np.size",
                 "np.zeros_like", "np.ones_like", "np.empty_like", "np.identity")
MODULES = {"np": np, "np.linalg": np.linalg, "np.fft": np.fft, "math": math, "scipy.special": special, "scipy.linalg": linalg, "": builtins, "operator": operator, "gs": gs, "gs.tree": gs.tree, "rt": runtime}


# formulas ------------------------------------------------------------------------------------------
def formula(rule) -> tuple[list[str], str]:
    """(names of its parameters, what it computes) of a rule that is Python: a lambda, or a short function."""
    node = capture(rule).node
    parameters = [a.id for a in node.args.args]
    return parameters, "; ".join(filter(None, map(_statement, node.body)))


def _statement(stmt) -> str:
    match stmt:
        case gast.Return(value=value):
            return gast.unparse(value).strip()
        case gast.Assign():
            return gast.unparse(stmt).strip()
    return ""  # a special case: the general one comes last


def code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def partials(op: Elementwise) -> tuple[list[str], list[str]]:
    """(names of the arguments, derivative with respect to each)"""
    if isinstance(op, Selection) and op.choices and op.choices[0]:
        return choices(op)
    named = next((formula(p)[0][1:] for p in op.partials if p is not None and "args" not in formula(p)[0]), [])
    names = named if len(named) == len(op.partials) else ["x"] if len(op.partials) == 1 else list("abcd"[:len(op.partials)])
    return names, ["0" if p is None else code(formula(p)[1]) if formula(p)[1] else "refused" for p in op.partials]


def choices(op: Selection) -> tuple[list[str], list[str]]:
    """The slope of each argument: where it is chosen, 1, and one half at a tie."""
    masks = [formula(choice[0]) if choice else None for choice in op.choices]
    names = next(mask[0] for mask in masks if mask)
    return names, ["0" if mask is None else code(f"np.where({mask[1]}, {worth(choice[1], names)}, 0.0)")
                   for mask, choice in zip(masks, op.choices)]


def worth(term, names: list[str]) -> str:
    if term.__name__ == "first_cotangent":
        return "1.0"
    if term.__name__ == "shared_slope":
        return f"np.where({names[0]} == {names[1]}, 0.5, 1.0)"
    return formula(term)[1].replace("0.5 * g", "0.5").replace(", g)", ", 1.0)")


def derivative(op) -> str:
    """The derivative of an operation, for a cell of a table."""
    match op:
        case Selection() | Elementwise():
            shown = partials(op)[1]
            return "none" if set(shown) == {"0"} else ", ".join(shown)
        case Reduction(cotangent=None):
            return "none"
        case Reduction(cotangent=rule):
            return code(formula(rule)[1])
        case Bilinear(left=left, right=right):
            return f"{code(formula(left)[1])}, {code(formula(right)[1])}"
        case Inactive() | Host(cotangent=None):
            return "none"
        case Host(cotangent=rule):
            return code(formula(rule)[1])
        case Linear(active=0):
            return "none"
        case Linear():
            return LINEAR.get(op.name, "the transpose")
    return OTHERWISE


# names and signatures --------------------------------------------------------------------------------
def names_of(function) -> list[str]:
    """What users call a function, its own name first."""
    if isinstance(FUNCTIONS.get(function), Kept):
        return [FUNCTIONS[function].name]
    found = [f"{prefix}.{n}".lstrip(".") for prefix, module in MODULES.items() for n, f in sorted(vars(module).items())
             if f is function and not n.startswith("_")]
    if not found and is_scipys(function):
        return [title_of(function)]
    if not found:
        owner = getattr(function, "__self__", None)
        found = [f"np.{owner.__name__}.{function.__name__}"] if isinstance(owner, np.ufunc) else [function.__name__]
    own = getattr(function, "__name__", "")
    if any(not n.startswith("rt.") for n in found):
        found = [n for n in found if not n.startswith("rt.")]  # what users have another name for
    return sorted(found, key=lambda n: (n.split(".")[-1] != own, n))


def signature(name: str, function, handler, skip: int = 1) -> str:
    """The call as users write it; `skip`: how many parameters are the machine's."""
    parameters = list(inspect.signature(handler).parameters.values())[skip:]
    if is_numpy(function) and all(p.kind is not p.VAR_KEYWORD for p in parameters):
        parameters = [p for p in parameters if p.name in numpy_signature(function).parameters]
    return f"{name}({', '.join(map(_parameter, parameters))})"


def _parameter(p) -> str:
    stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
    default = p.default.value if isinstance(p.default, v.Static) else p.default
    default = () if isinstance(default, v.Tuple) else default
    return f"{stars}{p.name}" + ("" if default is p.empty else f"={'float' if default is float else repr(default)}")


def call_of(name: str, function, handler) -> str:
    op = BY_FUNCTION.get(function)
    if function is np.where or isinstance(op, Elementwise) and isinstance(function, np.ufunc):
        return f"{name}({', '.join(partials(op)[0])})"
    if name.startswith("math."):
        same = BY_FUNCTION.get(getattr(np, function.__name__, None))
        return f"{name}({MATH.get(name[5:]) or (', '.join(partials(same)[0]) if same else 'x')})"
    if name in NUMBERS:
        return f"{name}({NUMBERS[name]})"
    if name.startswith("scipy.stats.") and function in SIGNATURES:
        return f"{name}({', '.join(map(_parameter, SIGNATURES[function].parameters.values()))})"
    if name.startswith("gs."):
        return f"{name}({', '.join(_parameter(p) for p in inspect.signature(function).parameters.values())})"
    if function is np.generic:
        return "np.float64(x), np.float32(x), np.int64(x), np.bool_(x)"
    return signature(name, function, handler)


# the page ---------------------------------------------------------------------------------------------
def table(rows: list[tuple[str, str]], head=("write", "derivative")) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def operators() -> list[tuple[str, ...]]:
    rows = []
    for op in OPS.values():
        if op.symbol and isinstance(op, Elementwise):
            names = partials(op)[0]
            written = f" {op.symbol} ".join(names) if len(names) == 2 else f"{op.symbol}{names[0]}"
            rows.append((code(written), ufuncs(op), derivative(op)))
    return rows


def ufuncs(op) -> str:
    """What NumPy and the module operator call an operator."""
    names = [n for f, o in BY_FUNCTION.items() if o is op and f in FUNCTIONS for n in names_of(f) if n.startswith(("np.", "operator."))]
    return ", ".join(map(code, dict.fromkeys(names)))


def functions() -> dict[str, list[tuple[str, str]]]:
    """{section: rows} of all functions that may be called."""
    sections: dict[str, list[tuple[str, str]]] = {}
    written = set()
    for function, handler in sorted(FUNCTIONS.items(), key=lambda item: names_of(item[0])[0]):
        name, *others = names_of(function) if function is not np.generic else ["np.float64"]
        op = BY_FUNCTION.get(function) or OPS.get(name)
        if op is not None and op.symbol or name in written:
            continue
        written |= {name, *others}
        also = f" (also {', '.join(map(code, others))})" if others else ""
        sections.setdefault(section(name, op), []).append((code(call_of(name, function, handler)) + also, gives(name, op)))
    sections["Products"].insert(0, ("`x @ y` (also `np.matmul(x, y)`, `operator.matmul(x, y)`)", derivative(OPS["matmul"])))
    return sections


def gives(name: str, op) -> str:
    if name.startswith("math."):
        special = OPS.get(f"rt.{name[5:]}")
        return MATH_OF.get(name[5:]) or (derivative(special) if special else f"of `np.{name[5:]}`")
    if name == "gs.stop_gradient" or name in NOT_OF_FLOATS:
        return "none"
    return MADE_OF.get(name) or (derivative(op) if op else OTHERWISE)


def section(name: str, op) -> str:
    if name.startswith(("gs.", "rt.")):
        return "Gradscribe's own"
    if name.startswith("math."):
        return "math"
    if name.startswith("scipy."):
        return ".".join(name.split(".")[:2])
    if not name.startswith("np."):
        return "Built-ins"
    if name in NOT_OF_FLOATS:
        return "Arrays from shapes, and integers"
    match op:
        case Elementwise():
            return "Elementwise"
        case Reduction():
            return "Reductions"
        case Bilinear():
            return "Products"
        case Host():
            return "Linear algebra"
        case Linear(active=active) if active != 0:
            return "Shapes and copies"
        case Linear() | Inactive():
            return "Arrays from shapes, and integers"
    return "Made of others"


def methods(owner) -> list[str]:
    """The methods of arrays (None), lists or dicts, as users write them."""
    symbol = {None: "x", "list": "a_list", "dict": "a_dict"}[owner]
    found = {(key if owner is None else key[1]): handler for key, handler in METHODS.items()
             if (isinstance(key, str) if owner is None else key[0] == owner)}
    return [code(signature(f"{symbol}.{name}", name if owner is None else None, handler, skip=2)) for name, handler in sorted(found.items())]


NOTES = {
    "Elementwise": "Of arrays and numbers of any shape, each with respect to its arguments in turn. With `dtype=`, a float type, they are computed in it.",
    "Reductions": "The cotangent of the array, which is `x` in the formulas. `y` and `g` keep the reduced axes, so that they broadcast against `x`; `count()` is the number of "
                  "elements reduced, `reduce` the sum over the same axes.",
    "Products": "The cotangents of `x` and `y`; `swap` exchanges the last two axes. These are for matrices: vectors go by the same rule.",
    "Linear algebra": "Of matrices and stacks of them, as LAPACK computes them, compiled as well. `y` or `x` is the result; `half` is the lower triangle with half of its "
                      "diagonal, `cofactors(a)` is `det(a) * inv(a).mT`, and there for singular matrices too, as is how they change, `cofactors_slope(a, da)`. `inverse(a)` is `inv(a)`, of singular matrices nan. "
                      "`conj(x)` is the complex conjugate and `mH(x)` is `conj(x).mT`: of real matrices `x` and `x.mT`.",
    "Shapes and copies": "Linear: the cotangent is the transpose.",
    "Arrays from shapes, and integers": "No derivative.",
    "Built-ins": "Their derivative is that of what they do with numbers; of structure there is none.",
    "math": "Of Python floats, whatever they are given, and with the exceptions of `math`.",
    "scipy.special": "Of what is imported from SciPy, once it is. Compiled code calls SciPy's own functions of one number.",
    "scipy.linalg": "Of one matrix; of several under `gs.vmap`.",
    "scipy.stats": "Of the distributions that are not frozen, with `loc=` and `scale=`. Other functions of SciPy are computed before the run where all of their arguments are known "
                   "then, and else refused.",
    "scipy.signal": "Computed directly, whatever `method=` says.",
    "scipy.ndimage": "Of floats; weights may have derivatives, too.",
    "scipy.interpolate": "The spline may be called, also one that was made outside of the function, with `nu=`. Matrices of `scipy.sparse` in the formats CSR and CSC that are outside "
                         "of a function may be multiplied with arrays: `A @ x`, `x @ A`, `A.T @ x`, `A.dot(x)`.",
    "scipy.optimize": "Found by SciPy's own steps; a root moves as its equation says, whatever the steps were.",
    "scipy.integrate": "By SciPy's own steps, `RK45` and `RK23`; the derivative goes through the choice of the steps, too.",
    "scipy.fft": "Of double precision, as NumPy has them; the cosine transforms are those of type 2.",
    "scipy.spatial": "What a rotation has is there too, and `r * s`, `r ** n`, `r[k]`, `len(r)`, loops over it; one that was made outside may be used.",
    "Gradscribe's own": "Transformations may be used inside functions that are transformed.",
}
LISTS = ("scipy.stats", "scipy.signal", "scipy.ndimage", "scipy.interpolate", "scipy.fft", "scipy.optimize", "scipy.integrate", "scipy.spatial", "Arrays from shapes, and integers", "Built-ins", "Gradscribe's own")  # without a column of derivatives
ORDER = ("Elementwise", "Reductions", "Products", "Linear algebra", "Shapes and copies", "Made of others", "Arrays from shapes, and integers", "Built-ins", "math",
         "scipy.special", "scipy.linalg", "scipy.stats", "scipy.signal", "scipy.ndimage", "scipy.interpolate", "scipy.fft", "scipy.optimize", "scipy.integrate", "scipy.spatial", "Gradscribe's own")


def page() -> str:
    parts = [HEAD, "## Operators\n", table(operators(), ("write", "or", "derivative"))]
    found = functions()
    assert set(found) <= set(ORDER), set(found) - set(ORDER)
    for title in ORDER:
        if title in found:
            rows = found[title]
            parts += [f"\n## {title}\n", *([NOTES[title] + "\n"] if title in NOTES else []),
                      "\n".join(f"- {row[0]}" for row in rows) if title in LISTS else table(rows)]
    parts += ["\n## Indices\n", INDICES, "\n## Methods and attributes\n",
              "Of arrays, with the rule of the function of that name: " + ", ".join(methods(None)) + ".\n",
              "Attributes: `x.shape`, `x.ndim`, `x.size`, `x.dtype`, `x.T`, `x.strides` (for `as_strided`).\n",
              "Of lists: " + ", ".join(methods("list")) + ".\n", "Of dicts: " + ", ".join(methods("dict")) + "."]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)) + "\n"


INDICES = """\
| write | derivative |
|---|---|
| `x[i]`, `x[a:b:c]`, `x[..., None]`, `x[i, a:b]` | `g` is added to the adjoint of `x` there |
| `x[index_array]` | the same; where an index repeats, all are added |
| `x[index] = value` | the adjoint of `value` is `g` there; that of the old `x` is zero there |
| `x[index] += value` | the adjoint of `value` is `g` there |"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
