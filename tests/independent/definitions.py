"""What stands at the top of a module: globals, helpers, decorators, classes;
and how they may change between two calls."""
import re

import numpy as np

from . import values
from .nested import MARK, indented
from .ordinary import HELPERS, MODULES, TOP
from .plainly import plainly
from .statements import Block

HEADER = "".join(f"import {name}\n" for name in sorted(["copy", "dataclasses", "functools", "math", "operator",
                                                        *MODULES])) + f"""\
from dataclasses import dataclass, field
from typing import NamedTuple

import gradscribe as gs
import numpy as np


{TOP}"""


class Module:
    """The top of a module, as it grows: its text, the names it defines, and statements that change them."""

    def __init__(self, rng):
        self.rng, self.n = rng, rng.choice([3, 3, 3, 2, 4])
        self.parts, self.names, self.changes, self.makers = [], [], [], []
        self.env = {"__name__": "program"}
        exec(plainly(HEADER), self.env)
        self.classes, self.generators = {}, []

    def add(self, lines, *names):
        """These lines, if Python accepts them."""
        try:
            exec("\n".join(lines), self.env)
        except Exception:
            return False
        self.parts.append("\n".join(lines))
        self.names += names
        return True

    def block(self, **parameters):
        env = dict(self.env)
        env.update(parameters)
        return Block(self.rng, env, self.n, self.names, list(parameters), self.generators)

    # ---- data

    def a_global(self):
        rng, name = self.rng, f"G{len(self.parts)}"
        kind = rng.choice(["number", "number", "none", "list", "dict", "array", "flag", "str", "table"])
        number = lambda: values.a_number(rng, 0.03)
        text, changes = {
            "number": (number(), [f"{name} = {number()}", f"{name} = {values.a_scalar(rng)}"]),
            "none": ("None", [f"{name} = {number()}"]),
            "list": (f"[{number()}, {number()}, {number()}]", [f"{name}[0] = {number()}", f"{name}.append({number()})",
                                                               f"{name} = [{number()}]", f"{name}.pop()"]),
            "dict": (f"{{'a': {number()}, 'b': {number()}}}",
                     [f"{name}['a'] = {number()}", f"{name}['z'] = {number()}", f"{name} = {{'a': {number()}}}"]),
            "array": (values.an_array(rng, "float64", (self.n,)),
                      [f"{name}[0] = {values.a_float(rng)}", f"{name} = {values.an_array(rng, 'float32', (self.n,))}",
                       f"{name} = {name} * 2"]),
            "flag": ("True", [f"{name} = False", f"{name} = 1"]),
            "str": ("'a'", [f"{name} = 'b'"]),
            "table": (f"({number()}, ({number()}, 'b'))", [f"{name} = ({number()}, (2, 'a'))"]),
        }[kind]
        if self.add([f"{name} = {text}"], name):
            self.changes += changes

    # ---- functions

    def a_helper(self):
        rng, name = self.rng, f"helper{len(self.parts)}"
        roll = rng.random()
        if roll < 0.12:
            return self.a_recursion(name)
        if roll < 0.3 and self.wrapped(name):
            return
        if roll > 0.85 and self.of_these(name):
            return
        kinds = [rng.choice(["num", "num", "num", "array", "list"]) for _ in range(rng.choice([1, 1, 2, 2, 3]))]
        samples = {"num": lambda: eval(values.a_number(rng, 0), self.env),
                   "array": lambda: eval(values.an_array(rng, "float64", (self.n,)), self.env),
                   "list": lambda: [1.5, 2.0]}
        parameters = {f"{'pqr'[k]}": samples[kind]() for k, kind in enumerate(kinds)}
        signature = [p if kind == "num" else f"{p}: '{kind}'" for p, kind in zip(parameters, kinds)]
        if rng.random() < 0.4:
            signature.append(f"m={values.a_number(rng, 0.02)}")
            parameters["m"] = eval(signature[-1][2:], self.env)
        if rng.random() < 0.15:
            signature.append("*rest")
            parameters["rest"] = (1.0, 2)
        if rng.random() < 0.15:
            signature.append("key=1.5")
            parameters["key"] = 1.5
        if rng.random() < 0.1:
            signature.append("**named")
            parameters["named"] = {"s": 1.5}
        text = self.function(name, signature, parameters, rng.choice([0, 1, 1, 2, 3]))
        if text and self.add([*self.decorators(kinds, text), *text], name) and rng.random() < 0.3:
            other = self.function(name + "_other", signature, parameters, 1)
            if other and self.add(other):
                self.changes.append(f"{name} = {name}_other")

    def decorators(self, kinds, text):
        """Of what reads no global: what a function gave before one changed Python gives again,
        and Gradscribe computes anew (docs/reliability.md)."""
        keeps = (self.rng.random() < 0.06 and set(kinds) == {"num"}
                 and not re.search(r"\b(G\d|helper)", "\n".join(text[1:])))
        return ["@functools.lru_cache(maxsize=None)"] if keeps else []

    def function(self, name, signature, parameters, count):
        block = self.block(**parameters)
        body = block.grow(count) if count else []
        result = block(self.rng.choice(["num", "num", "array", "any"]), 2)
        return result and [f"def {name}({', '.join(signature)}):", *indented([b for b in body if b != "pass"]),
                           f"{MARK}return {result.text}"]

    def a_recursion(self, name):
        with_ = self.block(x=1.5, n=2)
        base, step = with_("num", 1), with_("num", 1)
        self.add([f"def {name}(x, n=2):", "    if n <= 0:", f"        return {base.text}",
                  f"    return {step.text} {self.rng.choice('+*-')} {name}(x, n - 1)"], name)

    def of_these(self, name):
        """One that calls itself until a number says so, raises or catches, or chooses by the class of its argument."""
        rng, scope = self.rng, self.block(p=1.5)
        lines = [line.replace("SIGN", rng.choice(["-", "", "2 * "])).replace("NAME",
                                                                             name) for line in rng.choice(HELPERS)]
        lines = [self.filled(line, scope, name, None) for line in lines]
        return None not in lines and self.add(lines, name)

    def wrapped(self, name):
        """A helper by a decorator or by partial, of one that is there."""
        others = [n for n in self.names if n.startswith("helper")]
        if not others:
            return False
        other = self.rng.choice(others)
        choices = [[f"def {name}_wrap(fun):", "    @functools.wraps(fun)", "    def inner(*args, **kwargs):",
                    f"        return {self.rng.choice(['2.0 *', '-', '', '1 +'])} fun(*args, **kwargs)",
                    "    return inner", "", f"{name} = {name}_wrap({other})"],
                   [f"{name} = functools.partial({other}, {values.a_float(self.rng, 0)})"],
                   [f"def {name}(*args, **kwargs):", f"    return {other}(*args, **kwargs)"]]
        return self.add(self.rng.choice(choices), name)

    def a_setter(self):
        """A helper that assigns a global."""
        rng, name = self.rng, f"helper{len(self.parts)}"
        targets = [n for n in self.names if n.startswith("G") and isinstance(self.env[n], (int, float, np.ndarray))]
        if targets:
            target, scope = rng.choice(targets), self.block(p=1.5)
            lines = [f"global {target}", *rng.choice(SETTERS), rng.choice(["return {num}", f"return {target}"])]
            lines = [self.filled(line.replace("TARGET", target), scope, name, None) for line in lines]
            if None not in lines:
                self.add([f"def {name}(p):", *indented(lines)], name)

    def a_generator(self):
        """A generator function of one number or array, and how many rounds it makes."""
        rng, name = self.rng, f"gen{len(self.parts)}"
        body, bound = rng.choice(GENERATORS), {"j": 1, "u": 0.5, "a": np.array([1.0, 2.0])}
        scope = self.block(p=rng.choice([1.5, np.array([1.5, -0.5, 2.0])]), k=2,
                           **{n: x for n, x in bound.items() if f"{n} " in " ".join(body)})
        lines = [self.filled(line, scope, name, None) for line in body]
        if None not in lines and self.add([f"def {name}(p, k=3):", *indented(lines)], name):
            self.generators.append(name)

    # ---- classes

    def a_class(self):
        rng, name = self.rng, "C" + str(len(self.parts))
        style = rng.choice(["plain", "plain", "dataclass", "dataclass", "frozen", "ordered", "tuple", "tuple",
                            "derived", "derived"])
        bases = [c for c in self.classes if self.classes[c][0] != "tuple"]
        base = rng.choice(bases) if style == "derived" and bases else None
        if style == "derived" and base is None:
            style = "dataclass"
        fields = (self.classes[base][1] if base
                  else [(f, rng.choice(["float", "float", "int", "array"]))
                        for f in "abc"[:0 if style != "plain" and rng.random() < 0.06 else rng.choice([1, 2, 2, 3])]])
        head, body = self.heading(name, style, fields, base)
        make = lambda r, fields=fields, name=name: (
            f"{name}({', '.join(self.field_value(r, kind) for _, kind in fields)})")
        trial = dict(self.env)
        try:
            exec("\n".join([*head, *indented(body or ["pass"])]), trial)
            one, two = (eval(make(rng), trial) for _ in range(2))
        except Exception:
            return
        scope = Block(rng, {**self.env, name: trial[name]}, self.n, [*self.names, name])
        for method in rng.sample(list(METHODS), rng.choice([0, 1, 2, 3, 4, 5])):
            bound = {"self": one, "other": two, "u": 1.5, "k": 1}
            with scope.binding({p: bound[p] for p in bound if p in re.split(r"\W+", " ".join(METHODS[method][:-1]))}):
                body += self.method(method, scope, name, style, base)
        if self.add([*head, *indented(body or ["pass"])], name):
            self.classes[name] = ("derived" if base else style, fields)
            self.makers.append(make)
            if rng.random() < 0.4:
                self.add([f"OBJECT_{name} = {make(rng)}"], f"OBJECT_{name}")
                self.changes += [f"OBJECT_{name} = {make(rng)}"] + ([f"OBJECT_{name}.a = {values.a_float(rng)}"]
                                                                    if style not in ("frozen", "tuple") else [])
                if style != "tuple" and "def method" in "\n".join(body):
                    self.changes.append(f"object.__setattr__(OBJECT_{name}, 'method', lambda u: 3.5)")
            if "    scale = " in "\n".join(indented(body)):
                self.changes += [f"{name}.scale = {values.a_number(rng)}"] * 2
            if "TABLE" in "\n".join(body):
                self.changes += [f"{name}.TABLE[{rng.choice([0, 0, 1])}] = {values.a_float(rng)}"] * 2
            if "twice" in "\n".join(body):
                self.changes.append(f"{name}.twice = staticmethod(lambda u: u * 3)")

    def field_value(self, rng, kind):
        return {"float": lambda: values.a_float(rng, 0.01), "int": lambda: values.an_int(rng, 0),
                "array": lambda: values.an_array(rng, "float64", (self.n,))}[kind]()

    def heading(self, name, style, fields, base):
        rng = self.rng
        types = {"float": "float", "int": "int", "array": "np.ndarray"}
        body = []
        if base:
            return [f"class {name}({base}):"], body
        if style == "plain":
            names = [f for f, _ in fields]
            last = rng.choice(["", "", f"={values.a_float(rng, 0)}"]) if len(names) > 1 else ""
            body = [f"def __init__(self, {', '.join(names)}{last}):",
                    *[f"    self.{f} = {f}{rng.choice(['', '', ' * 2'])}" for f in names]]
            if rng.random() < 0.08:
                body.insert(0, f"__slots__ = {tuple(names)!r}")
            return [f"class {name}:"], body
        for k, (f, kind) in enumerate(fields):
            default = ""
            if k == len(fields) - 1 and len(fields) > 1 and rng.random() < 0.3:
                default = f" = {values.a_float(rng, 0)}"
                if style != "tuple" and rng.random() < 0.4:
                    default = rng.choice([" = field(default=1.5)", " = field(default_factory=list)",
                                          " = field(default=2.0, compare=False)", " = field(default=0.5, repr=False)"])
            body.append(f"{f}: {types[kind]}{default}")
        if style == "tuple":
            return [f"class {name}(NamedTuple):"], body
        if style != "frozen" and rng.random() < 0.25:
            body += (["total: float = field(init=False, default=0.0)"] if rng.random() < 0.5
                     else ["start: dataclasses.InitVar[float] = 1.0"])
            more = ", start" if "start" in body[-1] else ""
            body += [f"def __post_init__(self{more}):",
                     f"    self.a = self.a {rng.choice(['* 2', '+ 1', '+ start' if more else '* 1.5'])}"
                     if more or rng.random() < 0.5 else "    self.total = self.a * 2"]
        options = {"frozen": "(frozen=True)",
                   "ordered": rng.choice(["(order=True)", "(order=True, frozen=True)", "(eq=False)"])}.get(style, "")
        return [f"@dataclass{options}", f"class {name}:"], body

    def method(self, method, scope, name, style, base):
        """One method of the class, its expressions drawn with `self` in sight; nothing where it cannot be."""
        lines = []
        if method == "__new__" and style == "tuple":
            return []
        for line in METHODS[method]:
            if "self" in line and "=" in line and "return" not in line and (style in ("frozen", "tuple")):
                return []
            node_text = self.filled(line, scope, name, base)
            if node_text is None:
                return []
            lines.append(node_text)
        return lines

    def filled(self, line, scope, name, base):
        line = line.replace("CLS", name)
        if "SUPER" in line:
            if base is None:
                return None
            line = line.replace("SUPER", "super()")
        if "NEW" in line:
            count = (len(self.classes[base][1]) if base
                     else sum(1 for f in "abc" if hasattr(scope.env.get("self"), f)) or 1)
            line = line.replace("NEW",
                                f"{self.rng.choice([name, 'type(self)'])}({', '.join('{num}' for _ in range(count))})")
        for hole in ("num", "flag", "small", "any"):
            while "{" + hole + "}" in line:
                text = scope.hole(hole, 1)
                if text is None or ":=" in text:
                    return None
                line = line.replace("{" + hole + "}",
                                    text if hole != "num" or self.rng.random() < 0.5 else f"({text})", 1)
        return line


SETTERS = [
    ["TARGET = {num}"], ["TARGET += {num}"], ["TARGET = None if {flag} else p"],
           ["TARGET *= 2", "TARGET = TARGET + p"],
    ["for j in range(3):", "    if {flag}:", "        TARGET = TARGET * 0.5 + p"],
    ["TARGET = TARGET + 1", "if {flag}:", "    raise ValueError(f'user: {TARGET}')"],
]
GENERATORS = [
    ["for j in range(k):", "    u = {num}", "    yield u"],
    ["for j in range(k):", "    if {flag}:", "        continue", "    yield {any}", "    p = p * 0.5"],
    ["for j in range(k):", "    if {flag}:", "        return", "    yield j, {num}"],
    ["a = np.zeros(2)", "for j in range(k):", "    a[j % 2] += {num}", "    yield a", "a[0] = 7.0"],
    ["while k > 0:", "    k = k - 1", "    p = p * 0.5 + {num}", "    yield p"],
    ["yield {num}", "if {flag}:", "    yield {num}", "p = {num}", "yield p"],
    ["if k > 0:", "    yield p", "    yield from CLS({num}, k - 1)", "else:", "    yield from (p, {num})"],
    ["def inner(u):", "    nonlocal p", "    for j in range(k):", "        p = p + u", "        yield p",
     "yield from inner({num})", "yield p"],
]
METHODS = {
    "method": ["def method(self, u):", "    return {num}"],
    "method2": ["def scaled(self, u, w=2.0):", "    v = {num}", "    return v * w"],
    "new": ["def moved(self, u):", "    return NEW"],
    "property": ["@property", "def norm(self):", "    return {num}"],
    "cached": ["@functools.cached_property", "def cost(self):", "    return {num}"],
    "static": ["@staticmethod", "def twice(u):", "    return u * 2"],
    "classmethod": ["@classmethod", "def make(cls, u):", "    return NEW".replace("type(self)", "cls")],
    "attribute": ["scale = {num}"],
    "none_attribute": ["scale = None", "def by_scale(self, u):",
                       "    return u if self.scale is None else u * self.scale"],
    "list_attribute": ["TABLE = [1.5, 2.0]", "def of_table(self, k=0):", "    return self.TABLE[k] + CLS.TABLE[-1]"],
    "counted": ["def grow(self, u):", "    self.a = self.a + u", "    return self"],
    "checkpoint": ["@gs.checkpoint", "def checked(self, u, w=2.0):", "    return {num} * w"],
    "jit": ["@gs.jit", "def checked(self, u):", "    return {num}"],
    "__new__": ["def __new__(cls, *args, **kwargs):", "    made = super().__new__(cls)",
                "    object.__setattr__(made, 'extra', {num})", "    return made"],
    "super": ["def method(self, u):", "    return SUPER.method(u) + {num}"],
    "super_add": ["def __add__(self, other):", "    return SUPER.__add__(other)"],
    "super_init": ["def __init__(self, *args):", "    SUPER.__init__(*args)", "    self.d = {num}"],
    "__add__": ["def __add__(self, other):", "    return NEW"],
    "__add__ other": ["def __add__(self, other):", "    if not isinstance(other, CLS):",
                      "        return NotImplemented", "    return NEW"],
    "__radd__": ["def __radd__(self, other):", "    return {num}"],
    "__sub__": ["def __sub__(self, other):", "    return {num}"],
    "__mul__": ["def __mul__(self, other):", "    return NEW"],
    "__rmul__": ["def __rmul__(self, other):", "    return self.__mul__(other)"],
    "__rmul__ 2": ["def __rmul__(self, other):", "    return {num}"],
    "__iadd__": ["def __iadd__(self, other):", "    self.a = {num}", "    return self"],
    "__matmul__": ["def __matmul__(self, other):", "    return {num}"],
    "__truediv__": ["def __truediv__(self, other):", "    return NEW"],
    "__pow__": ["def __pow__(self, other):", "    return {num}"],
    "__neg__": ["def __neg__(self):", "    return NEW"],
    "__abs__": ["def __abs__(self):", "    return abs(self.a) + {num}"],
    "__len__": ["def __len__(self):", "    return {small}"],
    "__getitem__": ["def __getitem__(self, k):", "    return (self.a, {num}, 1.5)[k]"],
    "__setitem__": ["def __setitem__(self, k, u):", "    self.a = u + {num}"],
    "__iter__": ["def __iter__(self):", "    return iter((self.a, {num}))"],
    "__iter__ list": ["def __iter__(self):", "    return iter([v * 2 for v in (1.5, {num})])"],
    "__bool__": ["def __bool__(self):", "    return bool({flag})"],
    "__eq__": ["def __eq__(self, other):", "    return {flag}"],
    "__lt__": ["def __lt__(self, other):", "    return {flag}"],
    "__call__": ["def __call__(self, u, w=1.5):", "    return {num} * w"],
    "__contains__": ["def __contains__(self, u):", "    return {flag}"],
    "__getattr__": ["def __getattr__(self, name):", "    if name == 'zz':", "        return 2.5",
                    "    raise AttributeError(name)"],
    "__float__": ["def __float__(self):", "    return float({num})"],
    "__int__": ["def __int__(self):", "    return int({num})"],
    "__hash__": ["def __hash__(self):", "    return 7"],
    "__repr__": ["def __repr__(self):", "    return 'object of CLS'"],
    "__index__": ["def __index__(self):", "    return 1"],
    "__array_ufunc__": ["__array_ufunc__ = None"],
    "__setattr__": ["def __setattr__(self, name, u):", "    object.__setattr__(self, name, u)"],
    "__invert__": ["def __invert__(self):", "    return {any}"],
    "__new__": ["def __new__(cls, *args, **kwargs):", "    return super().__new__(cls)"],
}
