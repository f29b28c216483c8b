"""`try` in all its forms: what may raise is drawn from many templates, and what is caught is what Python raised in the
sample run, a parent of it, several at once, or something else."""
import numpy as np

from .expressions import Unfit
from .nested import indented
from .templates import HOLE

RISKS = """
{t} = {num} / {num}
{t} = {num} // {num} + {num}
{t} = 1 / ({num} - {num})
{t} = {num} % {num}
{t} = math.sqrt({num}) + {num}
{t} = math.log({num})
{t} = math.acos({num}) * {num}
{t} = math.exp({num} * 100)
{t} = {num} ** {num}
{t} = {list}[{int}]
{t} = {tuple}[{int}]
{t} = {array}[{int}]
{t} = {array}[{int}, {small}]
{t} = {dict}[{key}]
{t} = {list}.index({num})
{t} = [*{iterable}].pop()
{t} = max({list})
{t} = np.linalg.inv(np.array([[{num}, {num}], [{num}, {num}]], dtype=float))
{t} = np.linalg.solve(np.array([[{num}, 1.0], [{num}, {num}]], dtype=float), np.array([{num}, 2.0]))
{t} = np.linalg.cholesky(np.array([[{num}, 0.5], [0.5, {num}]], dtype=float))
{t} = np.linalg.inv(np.eye(2) * {num})
{t} = int({str})
{t} = float({str_number})
{t} = {array} + {array}
{t} = {array}.reshape({small}, {small})
{t} = np.concatenate([{array}, {array}])
{t} = {call}
{t} = {call}
{t} = {method}
{t} = {object}.zz
{t} = next({iterator})
{t}, {t} = {seq}
{t} = {num} + {any}
{t} = {any} < {num}
{t} = -{any}
{t} = np.{np_call}
if {flag}: raise {raised}
if {flag}: raise {raised}
if {flag}: raise {raised}
for v in {iterable}: assert v != {num}, 'user: met'
assert {flag}, f'user: {{{num}}}'
assert {flag}
"""
RISKS = RISKS.strip().splitlines()
RAISED = ["ValueError('user: no')", "ValueError", "KeyError('user: key')", "RuntimeError(f'user: {{{num}}}')",
          "ZeroDivisionError('user: none')", "IndexError()", "ArithmeticError({num}, {num})",
          "TypeError('user: type')",
          "Failed('user: own')", "Failed({num})", "LookupError('user: look')", "StopIteration()"]
WRONG = ["ValueError", "KeyError", "ZeroDivisionError", "IndexError", "TypeError", "OverflowError", "Failed",
         "np.linalg.LinAlgError", "AttributeError", "AssertionError", "(TypeError, OSError)", "StopIteration"]
SAID = ["{t} = len(problem.args)", "{t} = isinstance(problem, ValueError)", "{t} = type(problem).__name__"]
HIS_OWN = ["{t} = str(problem)", "{t} = problem.args", "{t} = f'{{problem}}'", "{t} = problem.args[0]"]
AGAIN = ["raise", "raise", "raise problem", "raise RuntimeError('user: again') from problem",
         "raise KeyError('user: other') from None", "raise Failed('user: over')"]


class Attempts:
    """What a block has to do with exceptions."""

    def try_(self, depth):
        lines = self.attempt_of(depth)
        if self.rng.random() < 0.15 and depth < 2:
            lines = ["try:", *indented(lines), f"except {self.rng.choice(['Exception', 'ValueError', 'LookupError'])}:",
                     *indented(self.part(depth))]
        return lines

    def attempt_of(self, depth):
        rng = self.rng
        tried = self.part(depth) if rng.random() < 0.5 else []
        risk = self.risk()
        error = self.run(risk)
        tried += risk
        if error is None and rng.random() < 0.5:
            tried += self.part(depth)
        lines = ["try:", *indented([line for line in tried if line != "pass"])]
        for _ in range(rng.choice([1, 1, 1, 2])):
            lines += self.handler(error, depth)
        if rng.random() < 0.25:
            lines += ["else:", *indented(self.part(depth))]
        if rng.random() < 0.25:
            lines += ["finally:", *indented(self.part(depth))]
        return lines

    def part(self, depth):
        """A statement or two, whether or not the sample run comes to them."""
        dead, self.dead = self.dead, False
        try:
            return self.statement_under(depth)
        finally:
            self.dead = dead

    def risk(self):
        """Lines that may raise."""
        for _ in range(10):
            line = self.rng.choice(RISKS).replace("{raised}", self.rng.choice(RAISED))
            line = self.written(line)
            if line is not None:
                return [line]
        return ["raise ValueError('user: no')"]

    def written(self, line):
        """A line with its holes filled, or None."""
        def filled(match):
            if match[1] is None:
                return match[0][0]
            text = self.target() if match[1] == "t" else self.hole(match[1], 1)
            if text is None or ":=" in text:
                raise Unfit
            return f"({text})" if match[1] in ("num", "array", "flag") and not text.isidentifier() else text

        try:
            return HOLE.sub(filled, line)
        except Unfit:
            return None

    def handler(self, error, depth):
        rng = self.rng
        fits = rng.choice(WRONG)
        if error is not None and rng.random() < 0.8:
            parents = [c for c in type(error).__mro__ if issubclass(c, Exception)]
            names = [self.class_name(c) for c in parents[:1] * 3 + parents]
            fits = rng.choice([*names, f"({names[0]}, {rng.choice(WRONG[:6])})"])
        elif rng.random() < 0.4:
            fits = "Exception"
        named = rng.random() < 0.4
        body = [] if rng.random() < 0.15 else self.part(depth)
        if named:
            said = rng.choice(SAID + HIS_OWN * (error is None or "user:" in str(error)))
            body = [self.written(said), *body]
        if rng.random() < 0.1:
            body.append(rng.choice(AGAIN if named else AGAIN[:2]))
        elif self.loops and rng.random() < 0.2:
            body.append(rng.choice(["break", "continue"]))
        elif not self.loops and rng.random() < 0.1:
            body.append(f"return {self('any', 1).text}")
        return [f"except {fits} as problem:" if named else f"except {fits}:", *indented(body or ["pass"])]

    def class_name(self, cls):
        """How the program calls it."""
        if cls.__module__ == "numpy.exceptions":
            return f"np.exceptions.{cls.__name__}"
        if cls is np.linalg.LinAlgError:
            return "np.linalg.LinAlgError"
        return cls.__name__ if cls.__module__ in ("builtins", "program") else "Exception"
