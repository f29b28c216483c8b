"""Python's own table: every built-in function, operator, method and special method, every function of `math`, with every kind of operand.

A row is a function; a cell of it is a small Python function, `def cell(x, y): return math.pow(x, y)`, with what stands for x and y: a constant
in the text, or an argument of some kind, which takes several values. The cells are written into a module, run by Python, and transformed: each must
equal Python in value, type, dtype, what it stores into its arguments, and exception, or be refused with a GradscribeError. Rows come from walking
`builtins`, `operator`, `math`, `dir(list)` and the like, so that what Python adds appears by itself; what is left out says why (SKIPPED).

Compiled, the cells of a row that never raise are one function that returns them all; those that always raise are one function that is told which
to run; the others are compiled one by one. What is refused plain is refused compiled, and not tried.

Cells, and compiled rows as well, rotate from commit to commit; GRADSCRIBE_TEST_ALL=1 runs all. `python tests/language/test_python_table.py [row ...]` prints what fails and how much is refused.
"""
import builtins
import collections
import dataclasses
import functools
import hashlib
import importlib.util
import itertools
import linecache
import math
import operator
import os
import random
import re
import sys
import tempfile
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe import GradscribeError
from tests.corpus import table_programs
from tests.support.agreement import Disagreement, Outcome, compare_outcomes, outcome, shown
from tests.support.cases import ALL, rotating

# ---- operands -----------------------------------------------------------------------------------------------------------------------------------

inf, nan = math.inf, math.nan
SCALARS = {"b1": np.bool_, "i1": np.int8, "i2": np.int16, "i4": np.int32, "i8": np.int64, "u1": np.uint8, "u2": np.uint16, "u4": np.uint32,
           "u8": np.uint64, "f2": np.float16, "f4": np.float32, "f8": np.float64}
ARGUMENTS = {  # kinds of run-time operands: their values, in turn
    "i": [3, -2, 0, 7, 1, -5], "f": [2.5, -1.5, 0.0, -0.0, inf, nan, 1e300, 0.5], "b": [True, False], "h": [2**53 + 1, -(2**63), 2**62],
    **{name: [t(True), t(False)] if name == "b1" else [t(v) for v in ([3, 0, 1, 100] if name[0] == "u" else [3, -2, 0, 100] if name[0] == "i" else
                                                                    [2.5, -1.5, 0.0, -0.0, inf, nan, 0.5])] for name, t in SCALARS.items()},
    "z": [np.array(2.5), np.array(-0.5), np.array(0.0)], "n": [np.array(3)], "v": [np.array([2.5, -1.5, 0.0])], "w": [np.array([3, -2, 0])],
    "o": [np.array([2.5]), np.array([-0.25])], "c": [np.array([200, 3], np.uint8)],
    "l": [[2.5, 3]], "t": [(2.5, 3)], "d": [{"a": 2.5, "b": 3}],
}
CONSTANTS = ["-3", "0", "2", "2**70", "-1.5", "0.0", "-0.0", "2.5", "1e308", "math.inf", "math.nan", "True", "None", "'ab'", "[]", "()", "(1, 2.5)",
             "[3, 1, 2]", "{'a': 1}", "range(4)", "np.float32(2.5)", "np.int8(-5)"]
NUMBERS = {"i", "f", "b", "h"}
HUGE = {"h", "2**70"}  # of memory or time without end where a count is expected

SKIPPED = {  # (row: why)
    **dict.fromkeys(["input", "breakpoint", "help", "exit", "quit", "copyright", "credits", "license"], "talks to the person at the terminal"),
    "id": "a place in memory, another at each run", "open": "opens files", "__import__": "loads modules", "__build_class__": "Python's own, behind class",
    "aiter": "for async functions, which are refused as such", "anext": "for async functions, which are refused as such",
    "KeyboardInterrupt": "the user's interruption of the test", "SystemExit": "the end of the test", "GeneratorExit": "the end of a generator",
    "exec": "runs text that is not there before the run", "eval": "runs text that is not there before the run",
    "compile": "runs text that is not there before the run", "globals": "the names of the module that the test writes",
    "locals": "the names of the cell's own frame, which are refused as such", "vars": "as locals", "dir": "as locals",
    "hash_of_str": "another at each run",
}
SLOW = {  # rows for which a huge integer is no operand: what they make of it takes memory or time without end
    "pow", "lshift", "ilshift", "ipow", "mul", "imul", "factorial", "comb", "perm", "bytes", "bytearray", "list", "tuple", "set", "frozenset", "sorted",
    "range", "sum", "max", "min", "any", "all", "dict", "str.zfill", "str.ljust", "str.rjust", "str.center", "str.expandtabs", "repeat", "ldexp",
    "str.__mul__", "list.__mul__", "tuple.__mul__", "format", "reversed", "matmul", "imatmul", "prod", "fsum", "lcm", "gcd"}


# ---- rows and cells -----------------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Cell:
    """A function of some operands: its body, and of each parameter the kind."""

    row: str
    body: str  # statements, with a return
    kinds: tuple[str, ...] = ()  # of parameters x, y, z: keys of ARGUMENTS
    before: str = ""  # what stands before it in the module: a class
    own: tuple = ()  # arguments in place of those of ARGUMENTS: (value of x, value of y, ...)

    @property
    def parameters(self) -> list[str]:
        return list("xyzw")[:len(self.own or self.kinds)]

    def text(self, name: str) -> str:
        lines = "".join(f"    {line}\n" for line in self.body.splitlines())
        return f"{self.before}def {name}({', '.join(self.parameters)}):\n{lines}"

    @property
    def title(self) -> str:
        return f"{'; '.join(self.body.splitlines())}   [{', '.join(f'{p}: {k}' for p, k in zip(self.parameters, self.kinds))}]"

    @functools.cached_property
    def values(self) -> list[tuple]:
        """What it is called with, in turn."""
        if self.own:
            return [self.own]
        columns = [ARGUMENTS[k] for k in self.kinds]
        if not columns:
            return [()]
        if len(columns) == 1:
            return [(v,) for v in columns[0]]
        every = list(itertools.product(*columns))
        return random.Random(" ".join(self.kinds)).sample(every, min(len(every), 6))


def operands(row: str):
    """(text, kind) of what may stand for a parameter: an argument has a kind, a constant is its own text."""
    slow = row in SLOW
    return [(None, k) for k in ARGUMENTS if not (slow and k in HUGE)] + [(c, None) for c in CONSTANTS if not (slow and c in HUGE)]


FEW = ["i", "f", "f4", "u1", "v", "l", "0", "-1.5", "None", "'ab'"]


def few():
    return [(None, k) if k in ARGUMENTS else (k, None) for k in FEW]


def cell_of(row: str, pattern: str, chosen) -> Cell:
    """pattern: `math.pow({}, {})` or statements; chosen: what stands in its places."""
    names, kinds, texts = iter("xyzw"), [], []
    for text, kind in chosen:
        texts.append(text if kind is None else next(names))
        if kind is not None:
            kinds.append(kind)
    body = pattern.format(*texts)
    return Cell(row, body if "return" in body or "raise" in body else f"return {body}", tuple(kinds))


WRONG_COUNT = re.compile(r"argument|operand|expected (exactly|at least|at most)|takes|descriptor")


def arities(function) -> list[int]:
    """How many arguments a function takes by position, and one number that it does not."""
    accepted, refused = [], []
    for n in range(4):
        tried = []
        for value in (1, 0.5, "a", [1], (2, 1)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    function(*[value] * n)
                    tried.append(True)
                except TypeError as error:
                    tried.append(not re.search(r"\b(takes|expected|exactly|at least|at most|missing|required)\b.*(argument|got)", str(error)))
                except Exception:
                    tried.append(True)
        (accepted if any(tried) else refused).append(n)
    return accepted + refused[-1:]


def cells_of_pattern(row: str, pattern: str) -> list[Cell]:
    """All operands in the places of a pattern, beside a 2 where it has two."""
    places = len(re.findall(r"(?<!{){(?!{)", pattern))
    huge_is_slow = any(p in pattern for p in ("range(", "[slice", "math.factorial"))
    return [cell_of(row, pattern, [o, ("2", None)][:places]) for o in operands(row) if not (huge_is_slow and (o[0] in HUGE or o[1] in HUGE))]


def cells_of_function(row: str, call: str, function) -> list[Cell]:
    """A function with all operands, alone and in pairs, and some of three."""
    out = []
    for n in arities(function) if function is not print else [0, 1, 2]:
        pools = {0: [], 1: [operands(row)], 2: [operands(row)] * 2, 3: [few()] * 3}[n]
        pattern = f"{call}({', '.join(['{}'] * n)})"
        out += [cell_of(row, pattern, chosen) for chosen in itertools.product(*pools)]
    return out


def rows_of_math() -> dict:
    rows = {}
    for name in dir(math):
        f = getattr(math, name)
        if name.startswith("_"):
            continue
        rows[f"math.{name}"] = functools.partial(cells_of_function, name, f"math.{name}", f) if callable(f) else \
            functools.partial(list, [Cell(name, f"return math.{name}"), Cell(name, f"return x * math.{name}", ("f",))])
    for call in ("math.log({}, 2)", "math.isclose({}, 2.5, rel_tol=0.1)", "math.isclose({}, 2.5, abs_tol=0.1)", "math.prod([{}, 2])",
                 "math.prod([{}, 2], start=3.0)", "math.fsum([{}, 0.1, 1e100, -1e100])", "math.dist([{}, 2.0], (1, 3.5))", "math.dist([{}, 2.0], (1,))",
                 "math.hypot({}, 1, 2.5, 0)", "math.gcd({}, 6, 9)"):
        rows[call.format("x")] = functools.partial(cells_of_pattern, call[5:call.index("(")], call)
    return rows


def is_exception(x) -> bool:
    return isinstance(x, type) and issubclass(x, BaseException)


EXTRA_CALLS = {  # calls of built-in functions that the plain pools do not write
    "sorted": ["sorted([{}, 1.5], reverse=True)", "sorted([{}, 1.5])", "sorted([3, {}], key=abs)"],
    "max": ["max([{}, 2])", "max({}, 2)", "max([{}, -3], key=abs)", "max([], default={})"], "min": ["min([{}, 2])", "min({}, 2)", "min((), default={})"],
    "sum": ["sum([{}, 2])", "sum([{}, 2], start=1.5)", "sum([[{}], [2]], [])", "sum(({}, {}))"], "zip": ["list(zip([{}, 2], 'ab'))", "list(zip([{}], [1, 2], strict=True))"],
    "enumerate": ["list(enumerate([{}, 2], start=1))"], "map": ["list(map(abs, [{}, -2]))", "list(map(lambda a, b: a + b, [{}, 2], [1, 2, 3]))"],
    "filter": ["list(filter(None, [{}, 0]))", "list(filter(lambda v: v is not None, [{}, None]))"], "reversed": ["list(reversed([{}, 2]))"],
    "dict": ["dict(a={})", "dict(x={{'a': {}}}, y=2.0)", "dict([('a', {})])", "dict({{'a': 1}}, b={})"], "list": ["list([{}])"], "tuple": ["tuple([{}, 1])"],
    "isinstance": ["isinstance({}, float)", "isinstance({}, (int, bool))", "isinstance({}, np.ndarray)", "isinstance({}, int | float)", "isinstance({}, np.floating)"],
    "issubclass": ["issubclass(type({}), float)"], "getattr": ["getattr({}, 'real')", "getattr({}, 'shape', 5)", "getattr({}, 'nothing')"],
    "hasattr": ["hasattr({}, 'real')", "hasattr({}, 'shape')"], "int": ["int('12')", "int('z', 36)", "int('a')", "int({})"], "float": ["float('1.5')", "float('inf')", "float('a')"],
    "round": ["round({}, ndigits=1)", "round({}, None)", "round({}, -1)", "round({}, 2)"], "pow": ["pow({}, 2, 5)", "pow({}, -1, 7)", "pow({}, exp=2)"],
    "str": ['f"{{ {} }}"', 'f"{{ {}!r:>8}}"', "str({}) == '3'"], "type": ["type({}) is float", "type({}).__name__"], "iter": ["next(iter([{}]))", "list(iter([{}]))"],
    "next": ["next(iter([]), {})", "next(iter([{}]))"], "any": ["any([{}, 0])"], "all": ["all([{}, 1])"], "bool": ["not {}", "1 if {} else 2", "{} and 1.5", "{} or 1.5"],
    "len": ["len([{}, {}])"], "slice": ["[1, 2, 3][slice({}, 2)]"], "set": ["len({{1, 2}})"], "callable": ["callable({})"], "range": ["list(range({}))", "len(range({}))", "{} in range(5)"],
    "abs": ["abs(-{})"], "complex": ["complex({}).real", "abs(1j * {})"], "hash": ["hash({}) == hash(2.5)"], "divmod": ["divmod({}, 2)[0]"],
}


def rows_of_builtins() -> dict:
    rows = {}
    for name in dir(builtins):
        f = getattr(builtins, name)
        if name in SKIPPED or not callable(f) or name == "_":
            continue
        if is_exception(f):
            if issubclass(f, Exception):
                rows.setdefault("raise", functools.partial(cells_of_exceptions))
            continue
        rows[name] = functools.partial(cells_of_function, name, name, f)
    for name, calls in EXTRA_CALLS.items():
        for call in calls:
            rows[f"{name}: {call}"] = functools.partial(cells_of_pattern, name, call)
    return rows


def cells_of_exceptions() -> list[Cell]:
    names = [n for n in dir(builtins) if is_exception(getattr(builtins, n)) and issubclass(getattr(builtins, n), Exception)]
    return [cell for n in names for cell in (Cell(n, f"raise {n}('bad', 1)"), Cell(n, f"raise {n}"), Cell(n, f"raise {n}(x)", ("f",)),
                                             Cell(n, f"if x > 2.0:\n    raise {n}(f'bad {{x}}')\nreturn x", ("f",)))]


SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<",
           "rshift": ">>", "matmul": "@", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "is_": "is", "is_not": "is not"}
CALLED = {"attrgetter": ["operator.attrgetter('real')({})"], "itemgetter": ["operator.itemgetter(0)([{}, 2])", "operator.itemgetter(0, 1)([{}, 2])"],
          "methodcaller": ["operator.methodcaller('copy')([{}])"]}


def rows_of_operators() -> dict:
    """The functions of `operator`, and what Python writes for them; in-place operators also say what they did to what they began with."""
    rows = {}
    for name in dir(operator):
        f = getattr(operator, name)
        if name.startswith("_") or not callable(f):
            continue
        rows[f"operator.{name}"] = functools.partial(cells_of_operator, name, f)
    for name, pattern in {"neg": "-({})", "pos": "+({})", "invert": "~({})", "not": "not ({})"}.items():
        rows[f"operator {name}"] = functools.partial(cells_of_pattern, name, pattern)
    for pattern in ("{} in {}", "{} not in {}"):
        rows[pattern] = functools.partial(cells_of_pairs, "contains", pattern, HOLDERS)
    for pattern in ("0 < {} <= {}", "{} == {} != 3"):
        rows[pattern] = functools.partial(cells_of_pairs, "lt", pattern, FEW)
    for pattern in ("[5, 6.5, 7][{}]", "(5, 6.5, 7)[{}]", "'abc'[{}]", "range(9)[{}]", "[5, 6.5, 7][{}:]", "(5, 6.5, 7)[:{}]", "'abcd'[::{}]", "range(9)[{}:7]",
                    "{{2.5: 1.5, 3: 2}}[{}]", "np.arange(3.0)[{}]", "np.arange(3.0)[{}:]"):
        rows[pattern.format("x")] = functools.partial(lambda p: [cell_of("getitem", p, (a,)) for a in operands("getitem")], pattern)
    return rows


HOLDERS = ["l", "t", "d", "v", "w", "f", "[]", "()", "(1, 2.5)", "[3, 1, 2]", "{'a': 1}", "range(4)", "'ab'", "None"]


def cells_of_pairs(row: str, pattern: str, second) -> list[Cell]:
    return [cell_of(row, pattern, (a, (None, b) if b in ARGUMENTS else (b, None))) for a in operands(row) for b in second]


def cells_of_operator(name: str, f) -> list[Cell]:
    if name in CALLED:
        return [cell_of(name, call, [o]) for call in CALLED[name] for o in operands(name)]
    if name in ("is_", "is_not"):  # which equal numbers are one object is CPython's business
        return [c for pattern in (f"operator.{name}({{}}, {{}})", f"{{}} {SYMBOLS[name]} {{}}") for c in identity_cells(name, pattern)]
    cells = cells_of_function(name, f"operator.{name}", f)
    if name in SYMBOLS:
        cells += [cell_of(name, f"{{}} {SYMBOLS[name]} {{}}" if a[0] is None or not a[0].startswith("-") else f"({{}}) {SYMBOLS[name]} {{}}", (a, b))
                  for a in operands(name) for b in operands(name)]
    base = next((b for b in (name[1:], name[1:] + "_") if name.startswith("i") and b in SYMBOLS and name not in ("is_", "is_not")), None)
    if base:
        cells += [cell_of(name, f"c = {{}}\nd = c\nc {SYMBOLS[base]}= {{}}\nreturn c, d", (a, b)) for a in operands(name) for b in operands(name)]
    return cells


def identity_cells(name, pattern) -> list[Cell]:
    known = [(None, k) for k in ("b", "l", "t", "d", "v", "z", "b1")] + [(c, None) for c in ("None", "True", "False")]
    out = [cell_of(name, pattern, (a, b)) for a in known for b in known]
    out += [Cell(name, f"return {pattern.format('x', 'x')}", (k,)) for k in ARGUMENTS]
    return out + [Cell(name, f"return {pattern.format('x', c)}", (k,)) for k in ARGUMENTS for c in ("None", "True", "False")]


# methods: what they are called on, and what they are given
CONTAINERS = {
    list: ["[x, 2.0, 1.5]", "[3, 1, 2]", "[]", "[x]", "[[x], [2]]"], tuple: ["(x, 2.0)", "(3, 1, 2)", "()"],
    dict: ["{'a': x, 'b': 2.0}", "{}", "{1: x}", "{'a': 1}"], str: ["'ab-c d'", "''", "'x{}y'", "'A1'"], range: ["range(5)", "range(2, 9, 3)", "range(0)", "range(n)"],
    set: ["{1, 2, 3}", "set()", "{'a'}"], frozenset: ["frozenset({1, 2})"], float: ["x", "2.0", "(-0.5)", "math.inf"], int: ["n", "(-5)", "(2**70)"],
    bool: ["(x > 1.0)", "True"], bytes: ["b'ab'"], slice: ["slice(1, n)"], complex: ["1j"], type(None): ["None"]}
GIVEN = {list: ["0", "-1", "n", "x", "2.0", "[x]", "(1, x)", "'ab'", "None", "range(2)", "slice(0, 1)"], tuple: ["0", "-1", "n", "x", "2.0", "(x,)", "[1]", "None", "slice(0, 1)"],
         dict: ["'a'", "'z'", "1", "x", "{'a': x}", "[('k', x)]", "None", "n"], str: ["'-'", "'a'", "''", "2", "n", "x", "None", "('a', 'b')", "['q', 'r']"],
         range: ["0", "2", "n", "x", "-1", "None", "slice(0, 2)", "range(5)"], set: ["1", "{2, 5}", "[1, 9]", "n", "None"], frozenset: ["1", "{2}", "n"],
         float: ["2", "0.5", "x", "n", "None"], int: ["2", "0.5", "x", "n", "None", "-1"], bool: ["1", "x", "n"], bytes: ["0", "b'a'"], slice: ["3", "n"], complex: ["2"],
         type(None): ["None"]}
NAMED = {"list.sort": ["reverse=True", "key=abs", "key=lambda v: -v, reverse=True"], "dict.update": ["other=x", "a=x, b=2"], "str.split": ["sep='-'", "sep='-', maxsplit=1", "maxsplit=1"],
         "str.rsplit": ["sep='-', maxsplit=1"], "str.format": ["a=1", "n", "x"], "str.encode": ["encoding='ascii'"], "str.splitlines": ["keepends=True"], "str.expandtabs": ["tabsize=2"],
         "int.to_bytes": ["2, 'big'", "length=2, byteorder='little', signed=True"], "int.from_bytes": ["b'ab', 'big'"], "float.fromhex": ["'0x1p3'"], "str.maketrans": ["'ab', 'cd'"],
         "dict.fromkeys": ["['a', 'b'], x", "'ab'"], "dict.setdefault": ["'z', x", "'a', 9"], "dict.pop": ["'a'", "'z', x"], "dict.get": ["'a', 5", "'z', x"], "list.index": ["2.0, 1", "2.0, 0, 1"]}
NOT_CALLED = {"__init_subclass__", "__subclasshook__", "__class__", "__reduce__", "__reduce_ex__", "__getstate__", "__sizeof__", "__dir__", "__doc__", "__new__", "__getnewargs__", "__hash__",
              "__setattr__", "__delattr__", "__getattribute__", "__class_getitem__", "__getformat__", "__repr__"}  # of objects of Python's own: nothing that programs on numbers write


def rows_of_methods() -> dict:
    """Every method of Python's containers and numbers: what it gives, and what it leaves."""
    return {f"{cls.__name__}.{name}": functools.partial(cells_of_method, cls, name) for cls in CONTAINERS for name in dir(cls) if name not in NOT_CALLED}


def cells_of_method(cls, name: str) -> list[Cell]:
    row, found, called = f"{cls.__name__}.{name}", [], callable(getattr(cls, name))
    calls = [""]
    if called:
        most = 2 if not name.startswith("__") or name == "__setitem__" else 1
        calls = [", ".join(given) for n in range(most + 1) for given in itertools.product(GIVEN[cls], repeat=n)] + NAMED.get(row, [])
    for made in CONTAINERS[cls]:
        for given in calls:
            if re.search(r"zfill|just|center|__r?mul|__i?mul|pow|shift", name) and "2**" in made + given:
                continue
            body = f"a = {made}\n" + (f"r = a.{name}({given})\n" if called else f"r = a.{name}\n")
            body += "return r, a, r is a" if cls in (list, dict) else "return r"
            uses = body.replace("'x{}y'", "")
            parameters = [(p, k) for p, k in (("x", "f"), ("n", "i")) if re.search(rf"\b{p}\b", uses)]
            found.append(Cell(row, renamed(body, [p for p, _ in parameters]), tuple(k for _, k in parameters)))
    return found


def renamed(body: str, names) -> str:
    """The body with its parameters called x, y in turn."""
    for name, new in zip(names, "xy"):
        if name != new:
            body = re.sub(rf"\b{name}\b", new, body)
    return body


# special methods: (parameters after self, what it returns, what calls it)
OTHER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
BINARY = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@"}
SPECIAL = {
    **{f"__{n}__": ("other", "('it', self.v, other)", [f"a {s} 2.0", f"a {s} x", f"a {s} a.v", f"a {s} [1]", f"2.0 {s} a"]) for n, s in (BINARY | OTHER).items()},
    **{f"__r{n}__": ("other", "('it', self.v, other)", [f"2.0 {s} a", f"x {s} a", f"[1] {s} a", f"a {s} 2.0", f"np.ones(2) {s} a"]) for n, s in BINARY.items()},
    **{f"__i{n}__": ("other", "('it', self.v, other)", [f"a {s}= 2.0", f"a {s}= x"]) for n, s in BINARY.items()},
    "__neg__": ("", "('it', self.v)", ["-a"]), "__pos__": ("", "('it', self.v)", ["+a"]), "__invert__": ("", "('it', self.v)", ["~a"]), "__abs__": ("", "self.v * 2", ["abs(a)"]),
    "__len__": ("", "7", ["len(a)", "bool(a)", "1 if a else 2", "not a"]), "__bool__": ("", "False", ["bool(a)", "1 if a else 2", "not a", "a and 3", "a or 4", "[v for v in [a] if v]"]),
    "__call__": ("t=1.0, *rest, k=3", "(self.v, t, rest, k)", ["a()", "a(x)", "a(1, 2, 3)", "a(t=x, k=x)", "a(q=1)", "callable(a)", "list(map(a, [1, x]))"]),
    "__getitem__": ("k", "(self.v, k)", ["a[0]", "a[1:2]", "a['q']", "a[1, 2]", "a[x]", "a[...]"]), "__contains__": ("k", "k == 2.0", ["2.0 in a", "x in a", "3 not in a"]),
    "__setitem__": ("k, v", "self.__dict__.update(v=(k, v)) if 0 else None", ["a[0] = 5.0", "a[x] = 2.0"]), "__delitem__": ("k", "None", ["del a[0]"]),
    "__iter__": ("", "iter([self.v, 2.0])", ["list(a)", "[v for v in a]", "tuple(a)", "sum(a)", "max(a)", "2.0 in a", "(lambda p, q: (q, p))(*a)", "list(zip(a, a))", "sorted(a)[0]", "dict(zip('pq', a))"]),
    "__next__": ("", "self.v", ["next(a)"]), "__reversed__": ("", "iter([9.0, self.v])", ["list(reversed(a))"]), "__length_hint__": ("", "3", ["operator.length_hint(a)"]),
    "__float__": ("", "1.25", ["float(a)", "math.sqrt(a)"]), "__int__": ("", "4", ["int(a)"]), "__index__": ("", "1", ["[5, 6][a]", "operator.index(a)", "range(3)[a]", "int(a)", "np.arange(3.0)[a]"]),
    "__complex__": ("", "1j", ["complex(a)"]), "__round__": ("n=None", "('r', n)", ["round(a)", "round(a, 2)"]), "__trunc__": ("", "3", ["math.trunc(a)"]), "__floor__": ("", "3", ["math.floor(a)"]),
    "__ceil__": ("", "3", ["math.ceil(a)"]), "__divmod__": ("o", "(self.v, o)", ["divmod(a, 2)"]), "__rdivmod__": ("o", "(self.v, o)", ["divmod(2, a)"]),
    "__str__": ("", "'shown'", ["str(a)", "f'{a}'", "'%s' % a", "'{}'.format(a)", "print(a)"]), "__repr__": ("", "'seen'", ["repr(a)", "str(a)", "f'{a!r}'", "str([a])"]),
    "__format__": ("spec", "'f' + spec", ["f'{a:>3}'", "format(a, 'q')", "f'{a}'"]), "__hash__": ("", "5", ["hash(a)", "{a: 1}[a]"]), "__bytes__": ("", "b'x'", ["bytes(a)"]),
    "__getattr__": ("name", "(name, 1)", ["a.missing", "a.v", "getattr(a, 'nothing', 3)", "hasattr(a, 'q')"]), "__getattribute__": ("name", "5.0", ["a.v", "a.q"]),
    "__setattr__": ("name, value", "None", ["a.v = 3.0", "a.q = x"]), "__delattr__": ("name", "None", ["del a.v"]), "__dir__": ("", "['p']", ["dir(a)"]),
    "__enter__": ("", "self", ["a.__enter__().v"]), "__exit__": ("*e", "None", ["a.__exit__(None, None, None)"]), "__init__": ("v", "None", ["a.v if hasattr(a, 'v') else 0"]),
    "__post_init__": ("", "None", ["a.v"]), "__missing__": ("k", "k", ["a.v"]), "__copy__": ("", "'copied'", ["copy.copy(a)"]), "__deepcopy__": ("memo", "'copied'", ["copy.deepcopy(a)"]),
    "__replace__": ("**k", "'replaced'", ["a.v"]), "__instancecheck__": ("x", "True", ["isinstance(x, float)"]), "__class_getitem__": ("k", "k", ["type(a)[3]"]),
    "__array__": ("dtype=None, copy=None", "np.ones(2)", ["np.asarray(a)", "np.sum(a)", "np.ones(2) + a"]), "__array_ufunc__": ("*p, **k", "'ufunc'", ["np.ones(2) + a", "np.sin(a)"]),
    "__array_priority__": ("", "1", ["np.ones(2) + a"]), "__get__": ("obj, cls=None", "4.5", ["a.v"]), "__set__": ("obj, v", "None", ["a.v"]), "__set_name__": ("c, n", "None", ["a.v"]),
    "__fspath__": ("", "'p'", ["a.v"]), "__sizeof__": ("", "5", ["a.v"]), "__del__": ("", "None", ["a.v"]), "__init_subclass__": ("**k", "None", ["a.v"]),
    "__delete__": ("obj", "None", ["a.v"]),
}
SPECIAL_SKIPPED = {
    **dict.fromkeys(["__class__", "__doc__", "__dict__", "__module__", "__name__", "__qualname__", "__weakref__", "__annotations__", "__bases__", "__base__", "__mro__", "__basicsize__", "__dictoffset__",
                     "__flags__", "__itemsize__", "__weakrefoffset__", "__text_signature__", "__abstractmethods__", "__closure__", "__code__", "__defaults__", "__globals__", "__kwdefaults__",
                     "__builtins__", "__type_params__", "__static_attributes__", "__firstlineno__", "__cause__", "__context__", "__suppress_context__", "__traceback__", "__notes__", "__slots__",
                     "__match_args__", "__objclass__", "__isabstractmethod__", "__self__", "__func__", "__wrapped__", "__annotate__", "__module__"], "data, no method"),
    **dict.fromkeys(["__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__"], "of pickle: no program calls it"),
    **dict.fromkeys(["__subclasses__", "__subclasscheck__", "__prepare__", "__subclasshook__", "mro", "__instancecheck__", "__or__type", "__ror__type"], "of metaclasses"),
    **dict.fromkeys(["__await__", "__aiter__", "__anext__", "__aenter__", "__aexit__"], "of async functions, which are refused as such"),
    **dict.fromkeys(["__getformat__", "__buffer__", "__release_buffer__", "__alloc__"], "of Python's own types, not called by syntax"),
    "__new__": "in test_from_outside: what it gives is an object of another way to make it",
}
MAKES = {  # a class with one special method, and where its object comes from
    "dataclass": "@dataclass\nclass {name}:\n    v: float\n    def {method}(self{params}):\n        return {result}\n\n\n",
    "named": "class {name}(NamedTuple):\n    v: float\n    def {method}(self{params}):\n        return {result}\n\n\n",
    "inherited": "@dataclass\nclass {name}Base:\n    v: float\n    def {method}(self{params}):\n        return {result}\n\n\n@dataclass\nclass {name}({name}Base):\n    pass\n\n\n",
    "plain": "class {name}:\n    def __init__(self, v):\n        self.v = v\n    def {method}(self{params}):\n        return {result}\n\n\n",
}
FROM = {"made of a run-time value": "a = {name}(x)\n", "made of a constant": "a = {name}(2.0)\n", "from outside": "a = {name}_made\n"}


def special_names() -> set[str]:
    """Every name with two underscores that an object of Python's may have."""
    kinds = [object, int, float, complex, str, bytes, list, tuple, dict, set, range, type, bool, slice, types.FunctionType, types.GeneratorType, types.CoroutineType, BaseException, property, zip, memoryview]
    return {n for k in kinds for n in dir(k) if n.startswith("__")} | set(SPECIAL)


def rows_of_special_methods() -> dict:
    rows = {}
    for method in sorted(special_names()):
        if method in SPECIAL_SKIPPED or SPECIAL.get(method) is None:  # of the latter test_every_special_method_has_a_row speaks
            continue
        rows[f"special {method}"] = functools.partial(cells_of_special_method, method)
    return rows


def cells_of_special_method(method: str) -> list[Cell]:
    params, result, triggers = SPECIAL[method]
    cells = []
    for style, text in MAKES.items():
        if style == "named" and method in ("__new__", "__init__", "__setattr__", "__getattribute__", "__post_init__") or style == "plain" and method in ("__init__", "__setattr__"):
            continue  # what makes the object is not itself replaced
        name = f"Class_{method.strip('_')}_{style}"
        before = text.format(name=name, method=method, params=f", {params}" if params else "", result=result)
        with_made = before + f"try:\n    {name}_made = {name}(3.0)\nexcept Exception:\n    {name}_made = None\n\n\n"
        for source, made in FROM.items():
            for trigger in triggers:
                statement = re.match(r"a[.\w\[\]]* \S*(?<![=<>!])= |a <<= |a >>= ", trigger) or trigger.startswith("del ")
                body = made.format(name=name) + (f"{trigger}\nreturn getattr(a, 'v', a)" if statement else f"return {trigger}")
                cells.append(Cell(method, body, ("f",), with_made))
    return cells


def rows_of_programs() -> dict:
    """Statements and classes (table_programs.py), and containers of other classes."""
    rows = {f"program: {row}": functools.partial(cells_of_programs, row) for row in table_programs.ROWS}
    ordered = collections.OrderedDict(b=2.5, a=1.5)
    return rows | {"OrderedDict": lambda: [Cell("OrderedDict", body, ("OrderedDict",), own=(ordered,)) for body in (
        "y = x.copy()\ny['a'] = 2.0\nreturn x, y", "return x | {'c': 1.0}", "return list(x.items()), x['a']", "return copy.copy(x)", "x.pop('b')\nreturn x")]}


def cells_of_programs(row) -> list[Cell]:
    return [Cell(row, body, kinds, *before) for body, kinds, *before in table_programs.ROWS[row]]


ROWS: dict = {}  # {a title: a function that gives its cells}
for _rows in (rows_of_math, rows_of_builtins, rows_of_operators, rows_of_methods, rows_of_special_methods, rows_of_programs):
    ROWS.update(_rows())


# ---- running ------------------------------------------------------------------------------------------------------------------------------------

HEAD = """import copy, dataclasses, math, operator
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np


"""


def module_of(texts: list[str]):
    """The functions of some texts, in a file of their own, since they are read from it."""
    text = HEAD + "\n\n".join(dict.fromkeys(texts))
    name = "table_" + hashlib.sha256(text.encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"gradscribe_table_{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(module)
    path.unlink()
    linecache.cache[str(path)] = (len(text), None, text.splitlines(True), str(path))
    return module


@dataclasses.dataclass
class Run:
    """What came of the cells of a row."""

    right: int = 0
    refused: list = dataclasses.field(default_factory=list)  # (cell, error)
    wrong: list = dataclasses.field(default_factory=list)  # (way, cell, values, what)

    def report(self, most=12) -> str:
        lines = [f"{way:8} {cell.title}  at {values!r}\n             {what}" for way, cell, values, what in self.wrong[:most]]
        return "\n".join([f"{len(self.wrong)} wrong, {self.right} right, {len(self.refused)} refused", *lines])


def python_numbers(cell) -> bool:
    return all(k in NUMBERS for k in cell.kinds) and "np." not in cell.body and not cell.before


def judge(run: Run, way: str, cell: Cell, values, want: Outcome, got: Outcome) -> bool | None:
    """True if right, False if wrong, None if refused."""
    if isinstance(got.error, GradscribeError) or way == "compiled" and isinstance(got.error, OverflowError) and "64-bit integer" in str(got.error):
        run.refused.append((way, cell, got.error))
        return None
    if type(got.out) is float and type(want.out) is int and got.out == want.out and PATHS.match(cell.body):
        run.right += 1  # an int of Python that may be a float becomes one (docs/language.md)
        return True
    try:
        compare_outcomes(got, want, way, message=python_numbers(cell) and not isinstance(want.error, TypeError))
    except Disagreement as error:
        run.wrong.append((way, cell, values, str(error).removeprefix(f"{way}: ")))
        return False
    run.right += 1
    return True


PATHS = re.compile(r"return (max|min)\(|.* (or|and) |.* if .* else ")


def comparable(want: Outcome) -> bool:
    """Addresses in memory, and objects that no result holds, are not compared."""
    return want.error is not None or " at 0x" not in shown(want.out)


def run_cells(cells: list[Cell], compiled: bool, run: Run | None = None) -> Run:
    run = run or Run()
    module = module_of([c.text(f"cell_{k}") for k, c in enumerate(cells)])
    never, always, some = [], [], []
    for k, cell in enumerate(cells):
        f = getattr(module, f"cell_{k}")
        wants = [outcome(f, values) for values in cell.values]
        if not all(map(comparable, wants)):
            continue
        ours = gs.test_util.primal(f)
        verdicts = []
        for values, want in zip(cell.values, wants):
            verdicts.append(judge(run, "plain", cell, values, want, outcome(ours, values)))
            if verdicts[-1] is None:
                break
        if compiled and all(verdicts):
            raised = [w.error is not None for w in wants]
            stores = any(shown(w.args) != shown(values) for w, values in zip(wants, cell.values))
            (some if any(raised) and not all(raised) or stores else always if all(raised) else never).append((k, cell, wants))
    if compiled:
        run_together(run, module, never)
        run_raising(run, module, always)
        for k, cell, wants in some if ALL or os.environ.get("TABLE_SINGLES") else some[:4]:
            run_alone(run, module, k, cell, wants)
    return run


def run_alone(run, module, k, cell, wants):
    ours = gs.jit(getattr(module, f"cell_{k}"))
    for values, want in zip(cell.values, wants):
        if judge(run, "compiled", cell, values, want, outcome(ours, values)) is None:
            break


def bundle(module, names_of, lines) -> types.FunctionType:
    """One function above many cells, whose parameters are all those of the cells."""
    text = f"def bundle({', '.join(names_of)}):\n" + "".join(f"    {line}\n" for line in lines)
    made = module_of([text])
    made.__dict__.update({n: x for n, x in vars(module).items() if n.startswith("cell_")})
    return made.bundle


def run_together(run, module, entries, size=24):
    """Cells that do not raise: one function returns the results of all, of their first values, of their second, ..."""
    for first in range(0, len(entries), size):
        run_bundle(run, module, entries[first:first + size])


def run_bundle(run, module, entries):
    if len(entries) < 2:
        for entry in entries:
            run_alone(run, module, *entry)
        return
    rounds = max(len(cell.values) for _, cell, _ in entries)
    names = [f"p{k}_{j}" for k, cell, _ in entries for j in range(len(cell.parameters))]
    calls = [f"cell_{k}({', '.join(f'p{k}_{j}' for j in range(len(cell.parameters)))})" for k, cell, _ in entries]
    ours = gs.jit(bundle(module, names, [f"return ({', '.join(calls)},)"]))
    results = []
    for r in range(rounds):
        chosen = [cell.values[r % len(cell.values)] for _, cell, _ in entries]
        results.append(outcome(ours, tuple(v for values in chosen for v in values)))
        if results[-1].error is not None:  # who is it? halves tell
            run_bundle(run, module, entries[:len(entries) // 2])
            run_bundle(run, module, entries[len(entries) // 2:])
            return
    for r, result in enumerate(results):
        for at, (_, cell, wants) in enumerate(entries):
            if r < len(wants):
                judge(run, "compiled", cell, cell.values[r], Outcome(wants[r].out), Outcome(result.out[at]))


def run_raising(run, module, entries, size=24):
    """Cells that raise: one function is told which of them to run."""
    for first in range(0, len(entries), size):
        chunk = entries[first:first + size]
        names = [f"p{k}_{j}" for k, cell, _ in chunk for j in range(len(cell.parameters))]
        lines = []
        for at, (k, cell, _) in enumerate(chunk):
            lines += [f"if which == {at}:", f"    cell_{k}({', '.join(f'p{k}_{j}' for j in range(len(cell.parameters)))})"]
        ours = gs.jit(bundle(module, ["which", *names], [*lines, "return 0.0"]))
        for at, (k, cell, wants) in enumerate(chunk):
            for r, want in enumerate(wants):
                given = [v for _, c, _ in chunk for v in (cell.values[r] if c is cell else c.values[0])]
                got = outcome(ours, (at, *given))
                if isinstance(got.error, GradscribeError):  # somebody's refusal: ask each alone
                    for entry in chunk[:4]:
                        run_alone(run, module, *entry)
                    break
                judge(run, "compiled", cell, cell.values[r], Outcome(error=want.error), Outcome(error=got.error, out=got.out))
            else:
                continue
            break


# ---- the tests ----------------------------------------------------------------------------------------------------------------------------------


def chosen(name: str, most: int) -> list[Cell]:
    """A sample of the cells of a row, the same each time; all of them with --all."""
    cells = ROWS[name]()
    if ALL or len(cells) <= most:
        return cells
    parts = -(-len(cells) // most)
    return random.Random(name).sample(cells, len(cells))[::parts]


def test_every_special_method_has_a_row():
    missing = special_names() - set(SPECIAL) - set(SPECIAL_SKIPPED)
    assert not missing, "no row in SPECIAL, and no reason why not in SPECIAL_SKIPPED"


@pytest.mark.heavy(one_in=46)
@pytest.mark.parametrize("row", ROWS)
def test_plain(row):
    run = run_cells(chosen(row, 6), compiled=False)
    assert not run.wrong, run.report()


@pytest.mark.heavy(one_in=23)
@pytest.mark.parametrize("row", rotating(ROWS, 8))
def test_compiled(row):
    run = run_cells(chosen(row, 8), compiled=True)
    assert not run.wrong, run.report()


def main(names):
    compiled = "--compiled" in names
    most = int(next((n.split("=")[1] for n in names if n.startswith("--most=")), 40))
    names = [n for n in names if not n.startswith("--")]
    total = Run()
    for row in ROWS:
        if names and not any(n in row for n in names):
            continue
        run = run_cells(chosen(row, most), compiled)
        total.right, total.wrong, total.refused = total.right + run.right, total.wrong + run.wrong, total.refused + run.refused
        if run.wrong or "--refused" in sys.argv:
            print(f"== {row}: {run.report(most=6)}", flush=True)
    print(f"\n{total.right} right, {len(total.wrong)} wrong, {len(total.refused)} refused")


if __name__ == "__main__":
    main(sys.argv[1:])
