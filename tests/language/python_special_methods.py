"""Rows of special methods, and ROWS: the whole table."""
import collections
import functools
import re
import types

from tests.corpus import table_programs
from tests.language.python_rows import Cell, rows_of_builtins, rows_of_math, rows_of_methods, rows_of_operators

# special methods: (parameters after self, what it returns, what calls it)
OTHER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
BINARY = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and": "&",
          "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@"}
SPECIAL = {
    **{f"__{n}__": ("other", "('it', self.v, other)", [f"a {s} 2.0", f"a {s} x", f"a {s} a.v", f"a {s} [1]",
                                                       f"2.0 {s} a"]) for n, s in (BINARY | OTHER).items()},
    **{f"__r{n}__": ("other", "('it', self.v, other)", [f"2.0 {s} a", f"x {s} a", f"[1] {s} a", f"a {s} 2.0",
                                                        f"np.ones(2) {s} a"]) for n, s in BINARY.items()},
    **{f"__i{n}__": ("other", "('it', self.v, other)", [f"a {s}= 2.0", f"a {s}= x"]) for n, s in BINARY.items()},
    "__neg__": ("", "('it', self.v)", ["-a"]),
    "__pos__": ("", "('it', self.v)", ["+a"]), "__invert__": ("", "('it', self.v)", ["~a"]),
    "__abs__": ("", "self.v * 2", ["abs(a)"]), "__len__": ("", "7", ["len(a)", "bool(a)", "1 if a else 2", "not a"]),
    "__bool__": ("", "False", ["bool(a)", "1 if a else 2", "not a", "a and 3", "a or 4", "[v for v in [a] if v]"]),
    "__call__": ("t=1.0, *rest, k=3", "(self.v, t, rest, k)",
                 ["a()", "a(x)", "a(1, 2, 3)", "a(t=x, k=x)", "a(q=1)", "callable(a)", "list(map(a, [1, x]))"]),
    "__getitem__": ("k", "(self.v, k)", ["a[0]", "a[1:2]", "a['q']", "a[1, 2]", "a[x]", "a[...]"]),
    "__contains__": ("k", "k == 2.0", ["2.0 in a", "x in a", "3 not in a"]),
    "__setitem__": ("k, v", "self.__dict__.update(v=(k, v)) if 0 else None", ["a[0] = 5.0", "a[x] = 2.0"]),
    "__delitem__": ("k", "None", ["del a[0]"]),
    "__iter__": ("", "iter([self.v, 2.0])",
                 ["list(a)", "[v for v in a]", "tuple(a)", "sum(a)", "max(a)", "2.0 in a", "(lambda p, q: (q, p))(*a)",
                  "list(zip(a, a))", "sorted(a)[0]", "dict(zip('pq', a))"]),
    "__next__": ("", "self.v", ["next(a)"]), "__reversed__": ("", "iter([9.0, self.v])", ["list(reversed(a))"]),
    "__length_hint__": ("", "3", ["operator.length_hint(a)"]),
    "__float__": ("", "1.25", ["float(a)", "math.sqrt(a)"]), "__int__": ("", "4", ["int(a)"]),
    "__index__": ("", "1", ["[5, 6][a]", "operator.index(a)", "range(3)[a]", "int(a)", "np.arange(3.0)[a]"]),
    "__complex__": ("", "1j", ["complex(a)"]), "__round__": ("n=None", "('r', n)", ["round(a)", "round(a, 2)"]),
    "__trunc__": ("", "3", ["math.trunc(a)"]), "__floor__": ("", "3", ["math.floor(a)"]),
    "__ceil__": ("", "3", ["math.ceil(a)"]),
    "__divmod__": ("o", "(self.v, o)", ["divmod(a, 2)"]), "__rdivmod__": ("o", "(self.v, o)", ["divmod(2, a)"]),
    "__str__": ("", "'shown'", ["str(a)", "f'{a}'", "'%s' % a", "'{}'.format(a)", "print(a)"]),
    "__repr__": ("", "'seen'", ["repr(a)", "str(a)", "f'{a!r}'", "str([a])"]),
    "__format__": ("spec", "'f' + spec", ["f'{a:>3}'", "format(a, 'q')", "f'{a}'"]),
    "__hash__": ("", "5", ["hash(a)", "{a: 1}[a]"]), "__bytes__": ("", "b'x'", ["bytes(a)"]),
    "__getattr__": ("name", "(name, 1)", ["a.missing", "a.v", "getattr(a, 'nothing', 3)", "hasattr(a, 'q')"]),
    "__getattribute__": ("name", "5.0", ["a.v", "a.q"]),
    "__setattr__": ("name, value", "None", ["a.v = 3.0", "a.q = x"]), "__delattr__": ("name", "None", ["del a.v"]),
    "__dir__": ("", "['p']", ["dir(a)"]), "__enter__": ("", "self", ["a.__enter__().v"]),
    "__exit__": ("*e", "None", ["a.__exit__(None, None, None)"]),
    "__init__": ("v", "None", ["a.v if hasattr(a, 'v') else 0"]), "__post_init__": ("", "None", ["a.v"]),
    "__missing__": ("k", "k", ["a.v"]), "__copy__": ("", "'copied'", ["copy.copy(a)"]),
    "__deepcopy__": ("memo", "'copied'", ["copy.deepcopy(a)"]), "__replace__": ("**k", "'replaced'", ["a.v"]),
    "__instancecheck__": ("x", "True", ["isinstance(x, float)"]), "__class_getitem__": ("k", "k", ["type(a)[3]"]),
    "__array__": ("dtype=None, copy=None", "np.ones(2)", ["np.asarray(a)", "np.sum(a)", "np.ones(2) + a"]),
    "__array_ufunc__": ("*p, **k", "'ufunc'", ["np.ones(2) + a", "np.sin(a)"]),
    "__array_priority__": ("", "1", ["np.ones(2) + a"]), "__get__": ("obj, cls=None", "4.5", ["a.v"]),
    "__set__": ("obj, v", "None", ["a.v"]), "__set_name__": ("c, n", "None", ["a.v"]),
    "__fspath__": ("", "'p'", ["a.v"]), "__sizeof__": ("", "5", ["a.v"]), "__del__": ("", "None", ["a.v"]),
    "__init_subclass__": ("**k", "None", ["a.v"]), "__delete__": ("obj", "None", ["a.v"]),
}
SPECIAL_SKIPPED = {
    **dict.fromkeys(["__class__", "__doc__", "__dict__", "__module__", "__name__", "__qualname__", "__weakref__",
                     "__annotations__", "__bases__", "__base__", "__mro__", "__basicsize__", "__dictoffset__",
                     "__flags__", "__itemsize__", "__weakrefoffset__", "__text_signature__", "__abstractmethods__",
                     "__closure__", "__code__", "__defaults__", "__globals__", "__kwdefaults__",
                     "__builtins__", "__type_params__", "__static_attributes__", "__firstlineno__",
                     "__cause__", "__context__", "__suppress_context__", "__traceback__", "__notes__", "__slots__",
                     "__match_args__", "__objclass__", "__isabstractmethod__", "__self__", "__func__", "__wrapped__",
                     "__annotate__", "__module__"], "data, no method"),
    **dict.fromkeys(["__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
                     "__getnewargs_ex__"], "of pickle: no program calls it"),
    **dict.fromkeys(["__subclasses__", "__subclasscheck__", "__prepare__", "__subclasshook__", "mro",
                     "__instancecheck__", "__or__type", "__ror__type"], "of metaclasses"),
    **dict.fromkeys(["__await__", "__aiter__", "__anext__", "__aenter__", "__aexit__"],
                    "of async functions, which are refused as such"),
    **dict.fromkeys(["__getformat__", "__buffer__", "__release_buffer__", "__alloc__"],
                    "of Python's own types, not called by syntax"),
    "__new__": "in test_from_outside: what it gives is an object of another way to make it",
}
MAKES = {  # a class with one special method, and where its object comes from
    "dataclass": "@dataclass\nclass {name}:\n    v: float\n    def {method}(self{params}):\n"
                 "        return {result}\n\n\n",
    "named": "class {name}(NamedTuple):\n    v: float\n    def {method}(self{params}):\n        return {result}\n\n\n",
    "inherited": "@dataclass\nclass {name}Base:\n    v: float\n    def {method}(self{params}):\n"
                 "        return {result}\n\n\n@dataclass\nclass {name}({name}Base):\n    pass\n\n\n",
    "plain": "class {name}:\n    def __init__(self, v):\n        self.v = v\n    def {method}(self{params}):\n"
             "        return {result}\n\n\n",
}
FROM = {"made of a run-time value": "a = {name}(x)\n", "made of a constant": "a = {name}(2.0)\n",
        "from outside": "a = {name}_made\n"}


def special_names() -> set[str]:
    """Every name with two underscores that an object of Python's may have."""
    kinds = [object, int, float, complex, str, bytes, list, tuple, dict, set, range, type, bool, slice,
             types.FunctionType, types.GeneratorType, types.CoroutineType, BaseException, property, zip, memoryview]
    return {n for k in kinds for n in dir(k) if n.startswith("__")} | set(SPECIAL)


def rows_of_special_methods() -> dict:
    rows = {}
    for method in sorted(special_names()):
        if method in SPECIAL_SKIPPED or SPECIAL.get(method) is None:
            # of the latter test_every_special_method_has_a_row speaks
            continue
        rows[f"special {method}"] = functools.partial(cells_of_special_method, method)
    return rows


def cells_of_special_method(method: str) -> list[Cell]:
    params, result, triggers = SPECIAL[method]
    cells = []
    for style, text in MAKES.items():
        if (style == "named" and method in ("__new__", "__init__", "__setattr__", "__getattribute__", "__post_init__")
                or style == "plain" and method in ("__init__", "__setattr__")):
            continue  # what makes the object is not itself replaced
        name = f"Class_{method.strip('_')}_{style}"
        before = text.format(name=name, method=method, params=f", {params}" if params else "", result=result)
        with_made = before + f"try:\n    {name}_made = {name}(3.0)\nexcept Exception:\n    {name}_made = None\n\n\n"
        for source, made in FROM.items():
            for trigger in triggers:
                statement = (re.match(r"a[.\w\[\]]* \S*(?<![=<>!])= |a <<= |a >>= ", trigger)
                             or trigger.startswith("del "))
                body = made.format(name=name) + (f"{trigger}\nreturn getattr(a, 'v', a)" if statement
                                                 else f"return {trigger}")
                cells.append(Cell(method, body, ("f",), with_made))
    return cells


def rows_of_programs() -> dict:
    """Statements and classes (table_programs.py), and containers of other classes."""
    rows = {f"program: {row}": functools.partial(cells_of_programs, row) for row in table_programs.ROWS}
    ordered = collections.OrderedDict(b=2.5, a=1.5)
    return rows | {"OrderedDict": lambda: [Cell("OrderedDict", body, ("OrderedDict",), own=(ordered,)) for body in (
        "y = x.copy()\ny['a'] = 2.0\nreturn x, y", "return x | {'c': 1.0}", "return list(x.items()), x['a']",
        "return copy.copy(x)", "x.pop('b')\nreturn x")]}


def cells_of_programs(row) -> list[Cell]:
    return [Cell(row, body, kinds, *before) for body, kinds, *before in table_programs.ROWS[row]]


ROWS: dict = {}  # {a title: a function that gives its cells}
for _rows in (rows_of_math, rows_of_builtins, rows_of_operators, rows_of_methods, rows_of_special_methods,
              rows_of_programs):
    ROWS.update(_rows())
