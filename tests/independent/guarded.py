"""Statements that keep away from poles, as people write them: by a branch, a mask, a maximum, a default.

They alone read `_zeta`, an argument with zeros and negative numbers at which a root, a logarithm or a quotient has no
slope, or no value. None of these has a part in any result, so differences leave its zeros where they are (`held`), and
what a derivative is told of them must not matter."""
import inspect

import numpy as np

from . import values

STEEP = ["np.sqrt({})", "np.log({})", "1 / {}", "{} ** 0.5", "{} ** -0.5", "np.sin({}) / {}",
         "{} * np.log({})", "np.arccos(1 / (1 + {}))", "np.cbrt({})", "np.log({}) / np.sqrt({})", "np.power({}, 0.25)",
         "np.arccosh(1 + {})", "1 / {} ** 2"]
ROOTS = ["np.sqrt({})", "{} ** 0.5", "{} ** 0.75", "np.cbrt({})", "np.arccosh(1 + {})", "np.arccos(1 / (1 + {}))",
         "np.sqrt({} * ({} + 2))"]
NUMBERS = ["math.sqrt({})", "math.log({})", "{} ** 0.5", "1 / {}", "{} ** -1.5", "math.sin({}) / {}",
           "math.acos(1 / (1 + {}))", "math.log({}) ** 2", "{} * math.log({})", "np.sqrt({})"]

ARRAYS = """
{t} = np.where(_zeta > 0, {f}, {n})
{t} = np.where(_zeta <= 0, {n}, {f}) * {n}
{t} = {f}; {t}[_zeta <= 0] = {n}
{t} = {f}; {t}[~(_zeta > 0)] = 0; {t} = {t}.sum() * {n}
m_ = _zeta > 0; {t} = ({f})[m_].sum() + {n}
m_ = _zeta > 0; {t} = np.zeros_like(_zeta); {t}[m_] = ({f})[m_]
{t} = np.maximum(_zeta - 0.01, 0.0); {t} = {r}
{t} = np.clip(_zeta - 0.01, 0, 50); {t} = {r} * {n}
{t} = (_zeta > 0) * _zeta; {t} = np.sum({r})
{t} = np.max(np.where(_zeta > 0, {f}, -50.0))
{t} = sorted(np.where(_zeta > 0, {f}, -50.0))[-1]
{t} = np.nansum(np.where(_zeta > 0, {f}, np.nan)) + {n}
{t} = np.append({f}, np.nan); {t} = np.nansum({t}[:-1][_zeta > 0]) + np.nanmean(np.append(_zeta[-1:], np.nan))
{t} = sum([{g} for v in _zeta if v > 0], {n})
{t} = [{g} if v > 0 else {n} for v in _zeta]
{t} = [max(v - 0.01, 0.0) ** 0.5 for v in _zeta]
{t} = ({f})[-1]
{t} = ({f})[int(np.argmax(_zeta))] * {n}
{t} = np.mean({f}, where=_zeta > 0)
{t} = np.divide({n}, _zeta, out=np.zeros_like(_zeta), where=_zeta > 0)
{t} = np.log(_zeta, out=np.full_like(_zeta, 0.5), where=_zeta > 0)
p_ = _zeta[:, None] - _zeta; {t} = np.sqrt(p_ ** 2); {t} = np.sum({t}[{t} > 0]) + {n}
p_ = _zeta[:, None] - _zeta; {t} = np.abs(p_ + 0j); {t} = np.sum(np.triu({t}, 1) ** 2)
{t} = np.zeros(3); np.add.at({t}, np.array([[0, 1], [2, 0]]), [[{n}, {n}], [{n}, np.where(_zeta > 0, {f}, 0.0)[-1]]])
{t} = np.zeros((2, 2)); np.add.at({t}, (np.array([0, 1, 1])[:, None, None], np.array([[[0, 1]]])),
    np.ones((3, 1, 2)) * np.where(_zeta > 0, {f}, 0.0)[-1])
{t} = None if _zeta[0] <= 0 else np.sqrt(_zeta[0])
{t} = int(np.sum(_zeta > 0))
{t} = -1 if _zeta[0] <= 0 else float(_zeta[0])
"""
FLOATS = """
{t} = {z} if _zeta > 0 else {n}
{t} = {n} if _zeta <= 0 else {z} * {n}
{t} = math.sqrt(max(_zeta - 0.01, 0.0)) + {n}
{t} = {n} + max(_zeta - 0.01, 0.0) ** 0.5
{t} = max(0.0, _zeta - 0.01); {t} = {t} ** 0.75 * {n}
{t} = None if _zeta <= 0 else {z}
{t} = 0 if _zeta <= 0 else 3
{t} = float(np.where(_zeta > 0, np.sqrt(abs(_zeta)), {n}))
{t} = [{n}, {z}][-1] if _zeta > 0 else 0
{t} = (lambda v: {g} if v > 0 else {n})(_zeta)
{t} = min({n}, 0.5) * np.sqrt(np.maximum(_zeta - 0.01, 0))
"""
# a line that is indented goes on
GUARDS = {"array": ARRAYS.strip().replace("\n    ", " ").splitlines(), "float": FLOATS.strip().splitlines()}


class Zeta:
    """Writes the argument `_zeta`: see values.Maker."""

    def __init__(self, rng, n):
        self.rng, self.n, self.kind = rng, n, rng.choice(["array", "array", "float"])

    def write(self, other=False):
        if self.kind == "float":
            return self.rng.choice(["0.0", "-0.0", "-1.0", "0.5", "2.5"])
        items = [self.rng.choice(["0.0", "0.0", "-0.0", "-1.5", "0.5", "1.25", "3.0"]) for _ in range(self.n - 1)]
        return f"np.array([{', '.join([*items, self.rng.choice(['0.75', '2.0'])])}])"

    def at_zero(self, sample):
        return sample


class Guards:
    """What a block has to do with `_zeta`."""

    def guard(self, depth):
        rng = self.rng
        text = rng.choice(GUARDS["array" if isinstance(self.env["_zeta"], np.ndarray) else "float"])
        target = self.target(0.8)
        of = lambda forms, operand: f"({rng.choice(forms).replace('{}', operand)})"
        number = lambda: self("float", 1).text if rng.random() < 0.3 else values.a_float(rng, 0)
        while "{n}" in text:
            text = text.replace("{n}", f"({number()})", 1)
        for hole, filling in (("{f}", of(STEEP, "_zeta")), ("{r}", of(ROOTS, target)), ("{g}", of(NUMBERS, "v")),
                              ("{z}", of(NUMBERS, "_zeta")), ("{t}", target)):
            text = text.replace(hole, filling)
        return text.split("; ")


def held(function, numbers, args, directions):
    """The directions for differences: zeros of `_zeta` stay."""
    names = list(inspect.signature(function).parameters)
    still = lambda k, d: (d if names[k] != "_zeta" else type(args[k])(d * (args[k] != 0)) if np.ndim(d) == 0
                          else d * (args[k] != 0))
    return [still(k, d) for k, d in zip(numbers, directions)]


def is_guarded(function):
    return "_zeta" in inspect.signature(function).parameters


def counts_zeros(function):
    """Are all its guards of distances, to which what is zero belongs as well?"""
    return "p_" in function.__code__.co_varnames
