"""Rows and cells of Python's own table: operands, functions, operators, methods."""
import builtins
import dataclasses
import functools
import itertools
import math
import operator
import random
import re
import warnings

import numpy as np

# ---- operands --------------------------------------------------------------------------------------------------------

inf, nan = math.inf, math.nan
SCALARS = {"b1": np.bool_, "i1": np.int8, "i2": np.int16, "i4": np.int32, "i8": np.int64, "u1": np.uint8,
           "u2": np.uint16, "u4": np.uint32, "u8": np.uint64, "f2": np.float16, "f4": np.float32, "f8": np.float64}
ARGUMENTS = {  # kinds of run-time operands: their values, in turn
    "i": [3, -2, 0, 7, 1, -5], "f": [2.5, -1.5, 0.0, -0.0, inf, nan, 1e300, 0.5], "b": [True, False],
    "h": [2**53 + 1, -(2**63), 2**62],
    **{name: [t(True), t(False)] if name == "b1"
             else [t(v) for v in ([3, 0, 1, 100] if name[0] == "u" else [3, -2, 0, 100] if name[0] == "i"
                                  else [2.5, -1.5, 0.0, -0.0, inf, nan, 0.5])] for name, t in SCALARS.items()},
    "z": [np.array(2.5), np.array(-0.5), np.array(0.0)], "n": [np.array(3)], "v": [np.array([2.5, -1.5, 0.0])],
    "w": [np.array([3, -2, 0])], "o": [np.array([2.5]), np.array([-0.25])], "c": [np.array([200, 3], np.uint8)],
    "l": [[2.5, 3]], "t": [(2.5, 3)], "d": [{"a": 2.5, "b": 3}],
}
CONSTANTS = ["-3", "0", "2", "2**70", "-1.5", "0.0", "-0.0", "2.5", "1e308", "math.inf", "math.nan", "True", "None",
             "'ab'", "[]", "()", "(1, 2.5)", "[3, 1, 2]", "{'a': 1}", "range(4)", "np.float32(2.5)", "np.int8(-5)"]
NUMBERS = {"i", "f", "b", "h"}
HUGE = {"h", "2**70"}  # of memory or time without end where a count is expected

SKIPPED = {  # (row: why)
    **dict.fromkeys(["input", "breakpoint", "help", "exit", "quit", "copyright", "credits", "license"],
                    "talks to the person at the terminal"),
    "id": "a place in memory, another at each run", "open": "opens files", "__import__": "loads modules",
    "__build_class__": "Python's own, behind class", "aiter": "for async functions, which are refused as such",
    "anext": "for async functions, which are refused as such",
    "KeyboardInterrupt": "the user's interruption of the test", "SystemExit": "the end of the test",
    "GeneratorExit": "the end of a generator", "exec": "runs text that is not there before the run",
    "eval": "runs text that is not there before the run",
    "compile": "runs text that is not there before the run", "globals": "the names of the module that the test writes",
    "locals": "the names of the cell's own frame, which are refused as such", "vars": "as locals", "dir": "as locals",
    "hash_of_str": "another at each run",
}
SLOW = {  # rows for which a huge integer is no operand: what they make of it takes memory or time without end
    "pow", "lshift", "ilshift", "ipow", "mul", "imul", "factorial", "comb", "perm", "bytes", "bytearray", "list",
    "tuple", "set", "frozenset", "sorted", "range", "sum", "max", "min", "any", "all", "dict", "str.zfill", "str.ljust",
    "str.rjust", "str.center", "str.expandtabs", "repeat", "ldexp", "str.__mul__", "list.__mul__", "tuple.__mul__",
    "format", "reversed", "matmul", "imatmul", "prod", "fsum", "lcm", "gcd"}


# ---- rows and cells --------------------------------------------------------------------------------------------------


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
        kinds = ", ".join(f"{p}: {k}" for p, k in zip(self.parameters, self.kinds))
        return f"{'; '.join(self.body.splitlines())}   [{kinds}]"

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
    return ([(None, k) for k in ARGUMENTS if not (slow and k in HUGE)]
            + [(c, None) for c in CONSTANTS if not (slow and c in HUGE)])


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
                    tried.append(not re.search(r"\b(takes|expected|exactly|at least|at most|missing|"
                                               r"required)\b.*(argument|got)", str(error)))
                except Exception:
                    tried.append(True)
        (accepted if any(tried) else refused).append(n)
    return accepted + refused[-1:]


def cells_of_pattern(row: str, pattern: str) -> list[Cell]:
    """All operands in the places of a pattern, beside a 2 where it has two."""
    places = len(re.findall(r"(?<!{){(?!{)", pattern))
    huge_is_slow = any(p in pattern for p in ("range(", "[slice", "math.factorial"))
    return [cell_of(row, pattern, [o, ("2", None)][:places])
            for o in operands(row) if not (huge_is_slow and (o[0] in HUGE or o[1] in HUGE))]


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
    for call in ("math.log({}, 2)", "math.isclose({}, 2.5, rel_tol=0.1)", "math.isclose({}, 2.5, abs_tol=0.1)",
                 "math.prod([{}, 2])", "math.prod([{}, 2], start=3.0)", "math.fsum([{}, 0.1, 1e100, -1e100])",
                 "math.dist([{}, 2.0], (1, 3.5))", "math.dist([{}, 2.0], (1,))", "math.hypot({}, 1, 2.5, 0)",
                 "math.gcd({}, 6, 9)"):
        rows[call.format("x")] = functools.partial(cells_of_pattern, call[5:call.index("(")], call)
    return rows


def is_exception(x) -> bool:
    return isinstance(x, type) and issubclass(x, BaseException)


EXTRA_CALLS = {  # calls of built-in functions that the plain pools do not write
    "sorted": ["sorted([{}, 1.5], reverse=True)", "sorted([{}, 1.5])", "sorted([3, {}], key=abs)"],
    "max": ["max([{}, 2])", "max({}, 2)", "max([{}, -3], key=abs)", "max([], default={})"],
    "min": ["min([{}, 2])", "min({}, 2)", "min((), default={})"],
    "sum": ["sum([{}, 2])", "sum([{}, 2], start=1.5)", "sum([[{}], [2]], [])", "sum(({}, {}))"],
    "zip": ["list(zip([{}, 2], 'ab'))", "list(zip([{}], [1, 2], strict=True))"],
    "enumerate": ["list(enumerate([{}, 2], start=1))"],
    "map": ["list(map(abs, [{}, -2]))", "list(map(lambda a, b: a + b, [{}, 2], [1, 2, 3]))"],
    "filter": ["list(filter(None, [{}, 0]))", "list(filter(lambda v: v is not None, [{}, None]))"],
    "reversed": ["list(reversed([{}, 2]))"],
    "dict": ["dict(a={})", "dict(x={{'a': {}}}, y=2.0)", "dict([('a', {})])", "dict({{'a': 1}}, b={})"],
    "list": ["list([{}])"], "tuple": ["tuple([{}, 1])"],
    "isinstance": ["isinstance({}, float)", "isinstance({}, (int, bool))", "isinstance({}, np.ndarray)",
                   "isinstance({}, int | float)", "isinstance({}, np.floating)"],
    "issubclass": ["issubclass(type({}), float)"],
    "getattr": ["getattr({}, 'real')", "getattr({}, 'shape', 5)", "getattr({}, 'nothing')"],
    "hasattr": ["hasattr({}, 'real')", "hasattr({}, 'shape')"],
    "int": ["int('12')", "int('z', 36)", "int('a')", "int({})"],
    "float": ["float('1.5')", "float('inf')", "float('a')"],
    "round": ["round({}, ndigits=1)", "round({}, None)", "round({}, -1)", "round({}, 2)"],
    "pow": ["pow({}, 2, 5)", "pow({}, -1, 7)", "pow({}, exp=2)"],
    "str": ['f"{{ {} }}"', 'f"{{ {}!r:>8}}"', "str({}) == '3'"], "type": ["type({}) is float", "type({}).__name__"],
    "iter": ["next(iter([{}]))", "list(iter([{}]))"], "next": ["next(iter([]), {})", "next(iter([{}]))"],
    "any": ["any([{}, 0])"], "all": ["all([{}, 1])"], "bool": ["not {}", "1 if {} else 2", "{} and 1.5", "{} or 1.5"],
    "len": ["len([{}, {}])"], "slice": ["[1, 2, 3][slice({}, 2)]"], "set": ["len({{1, 2}})"],
    "callable": ["callable({})"], "range": ["list(range({}))", "len(range({}))", "{} in range(5)"], "abs": ["abs(-{})"],
    "complex": ["complex({}).real", "abs(1j * {})"], "hash": ["hash({}) == hash(2.5)"], "divmod": ["divmod({}, 2)[0]"],
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
    names = [n for n in dir(builtins)
             if is_exception(getattr(builtins, n)) and issubclass(getattr(builtins, n), Exception)]
    return [cell for n in names
            for cell in (Cell(n, f"raise {n}('bad', 1)"), Cell(n, f"raise {n}"), Cell(n, f"raise {n}(x)", ("f",)),
                         Cell(n, f"if x > 2.0:\n    raise {n}(f'bad {{x}}')\nreturn x", ("f",)))]


SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and_": "&",
           "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@", "lt": "<", "le": "<=", "gt": ">",
           "ge": ">=", "eq": "==", "ne": "!=", "is_": "is", "is_not": "is not"}
CALLED = {"attrgetter": ["operator.attrgetter('real')({})"],
          "itemgetter": ["operator.itemgetter(0)([{}, 2])", "operator.itemgetter(0, 1)([{}, 2])"],
          "methodcaller": ["operator.methodcaller('copy')([{}])"]}


def rows_of_operators() -> dict:
    """The functions of `operator`, and what Python writes for them;
    in-place operators also say what they did to what they began with."""
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
    for pattern in ("[5, 6.5, 7][{}]", "(5, 6.5, 7)[{}]", "'abc'[{}]", "range(9)[{}]",
                    "[5, 6.5, 7][{}:]", "(5, 6.5, 7)[:{}]", "'abcd'[::{}]", "range(9)[{}:7]", "{{2.5: 1.5, 3: 2}}[{}]",
                    "np.arange(3.0)[{}]", "np.arange(3.0)[{}:]"):
        rows[pattern.format("x")] = functools.partial(lambda p: [cell_of("getitem", p, (a,))
                                                                 for a in operands("getitem")], pattern)
    return rows


HOLDERS = ["l", "t", "d", "v", "w", "f", "[]", "()", "(1, 2.5)", "[3, 1, 2]", "{'a': 1}", "range(4)", "'ab'", "None"]


def cells_of_pairs(row: str, pattern: str, second) -> list[Cell]:
    return [cell_of(row, pattern, (a, (None, b) if b in ARGUMENTS else (b, None))) for a in operands(row)
            for b in second]


def cells_of_operator(name: str, f) -> list[Cell]:
    if name in CALLED:
        return [cell_of(name, call, [o]) for call in CALLED[name] for o in operands(name)]
    if name in ("is_", "is_not"):  # which equal numbers are one object is CPython's business
        return [c for pattern in (f"operator.{name}({{}}, {{}})", f"{{}} {SYMBOLS[name]} {{}}")
                for c in identity_cells(name, pattern)]
    cells = cells_of_function(name, f"operator.{name}", f)
    if name in SYMBOLS:
        cells += [cell_of(name, f"{{}} {SYMBOLS[name]} {{}}" if a[0] is None or not a[0].startswith("-")
                                else f"({{}}) {SYMBOLS[name]} {{}}", (a, b))
                  for a in operands(name) for b in operands(name)]
    base = next((b for b in (name[1:], name[1:] + "_")
                 if name.startswith("i") and b in SYMBOLS and name not in ("is_", "is_not")), None)
    if base:
        cells += [cell_of(name, f"c = {{}}\nd = c\nc {SYMBOLS[base]}= {{}}\nreturn c, d", (a, b))
                  for a in operands(name) for b in operands(name)]
    return cells


def identity_cells(name, pattern) -> list[Cell]:
    known = [(None, k) for k in ("b", "l", "t", "d", "v", "z", "b1")] + [(c, None) for c in ("None", "True", "False")]
    out = [cell_of(name, pattern, (a, b)) for a in known for b in known]
    out += [Cell(name, f"return {pattern.format('x', 'x')}", (k,)) for k in ARGUMENTS]
    return out + [Cell(name, f"return {pattern.format('x', c)}", (k,)) for k in ARGUMENTS
                  for c in ("None", "True", "False")]


# methods: what they are called on, and what they are given
CONTAINERS = {
    list: ["[x, 2.0, 1.5]", "[3, 1, 2]", "[]", "[x]", "[[x], [2]]"], tuple: ["(x, 2.0)", "(3, 1, 2)", "()"],
    dict: ["{'a': x, 'b': 2.0}", "{}", "{1: x}", "{'a': 1}"], str: ["'ab-c d'", "''", "'x{}y'", "'A1'"],
    range: ["range(5)", "range(2, 9, 3)", "range(0)", "range(n)"], set: ["{1, 2, 3}", "set()", "{'a'}"],
    frozenset: ["frozenset({1, 2})"], float: ["x", "2.0", "(-0.5)", "math.inf"], int: ["n", "(-5)", "(2**70)"],
    bool: ["(x > 1.0)", "True"], bytes: ["b'ab'"], slice: ["slice(1, n)"], complex: ["1j"], type(None): ["None"]}
GIVEN = {list: ["0", "-1", "n", "x", "2.0", "[x]", "(1, x)", "'ab'", "None", "range(2)", "slice(0, 1)"],
         tuple: ["0", "-1", "n", "x", "2.0", "(x,)", "[1]", "None", "slice(0, 1)"],
         dict: ["'a'", "'z'", "1", "x", "{'a': x}", "[('k', x)]", "None", "n"],
         str: ["'-'", "'a'", "''", "2", "n", "x", "None", "('a', 'b')", "['q', 'r']"],
         range: ["0", "2", "n", "x", "-1", "None", "slice(0, 2)", "range(5)"],
         set: ["1", "{2, 5}", "[1, 9]", "n", "None"], frozenset: ["1", "{2}", "n"],
         float: ["2", "0.5", "x", "n", "None"], int: ["2", "0.5", "x", "n", "None", "-1"], bool: ["1", "x", "n"],
         bytes: ["0", "b'a'"], slice: ["3", "n"], complex: ["2"], type(None): ["None"]}
NAMED = {"list.sort": ["reverse=True", "key=abs", "key=lambda v: -v, reverse=True"],
         "dict.update": ["other=x", "a=x, b=2"], "str.split": ["sep='-'", "sep='-', maxsplit=1", "maxsplit=1"],
         "str.rsplit": ["sep='-', maxsplit=1"], "str.format": ["a=1", "n", "x"],
         "str.encode": ["encoding='ascii'"], "str.splitlines": ["keepends=True"], "str.expandtabs": ["tabsize=2"],
         "int.to_bytes": ["2, 'big'", "length=2, byteorder='little', signed=True"], "int.from_bytes": ["b'ab', 'big'"],
         "float.fromhex": ["'0x1p3'"], "str.maketrans": ["'ab', 'cd'"], "dict.fromkeys": ["['a', 'b'], x", "'ab'"],
         "dict.setdefault": ["'z', x", "'a', 9"], "dict.pop": ["'a'", "'z', x"], "dict.get": ["'a', 5", "'z', x"],
         "list.index": ["2.0, 1", "2.0, 0, 1"]}
NOT_CALLED = {"__init_subclass__", "__subclasshook__", "__class__", "__reduce__", "__reduce_ex__",
              "__getstate__", "__sizeof__", "__dir__", "__doc__", "__new__", "__getnewargs__",
              "__hash__", "__setattr__", "__delattr__", "__getattribute__", "__class_getitem__", "__getformat__",
              "__repr__"}  # of objects of Python's own: nothing that programs on numbers write


def rows_of_methods() -> dict:
    """Every method of Python's containers and numbers: what it gives, and what it leaves."""
    return {f"{cls.__name__}.{name}": functools.partial(cells_of_method, cls, name) for cls in CONTAINERS
            for name in dir(cls) if name not in NOT_CALLED}


def cells_of_method(cls, name: str) -> list[Cell]:
    row, found, called = f"{cls.__name__}.{name}", [], callable(getattr(cls, name))
    calls = [""]
    if called:
        most = 2 if not name.startswith("__") or name == "__setitem__" else 1
        calls = ([", ".join(given) for n in range(most + 1) for given in itertools.product(GIVEN[cls], repeat=n)]
                 + NAMED.get(row, []))
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
