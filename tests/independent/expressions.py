"""Expressions, by templates, tried by Python as they are written.

A `Node` is a text and the value that it has in the sample run. A template is a text with holes; what a hole is filled with is drawn by
its name: a kind of value (`{num}`, `{array}`), or one of the writers below and in calls.py (`{item}`, `{call}`). What does not
evaluate, or grows too large, is drawn again. Nothing needs to know what an operator makes of its operands: Python says so.
"""
import ast
import contextlib
import re
import signal
import types

import numpy as np

from . import values

NUMBER = (bool, int, float, np.number, np.bool_)
BASIC = (str, bytes, type(None), slice, range, list, tuple, dict, set, frozenset, type, types.FunctionType, types.BuiltinFunctionType,
         types.ModuleType, types.MethodType, complex, *NUMBER, np.ndarray, np.dtype, type(Ellipsis), type(NotImplemented))


def is_object(x):
    """An instance of one of the program's own classes."""
    return type(x).__module__ == "program"


def is_iterator(x):
    return hasattr(x, "__next__") and not is_object(x)


GROUPS = {
    "num": lambda x: isinstance(x, NUMBER),
    "int": lambda x: type(x) in (int, bool),
    "integer": lambda x: isinstance(x, (int, np.integer)),
    "float": lambda x: isinstance(x, (float, np.floating)),
    "flag": lambda x: isinstance(x, (bool, np.bool_)),
    "array": lambda x: isinstance(x, np.ndarray),
    "some": lambda x: isinstance(x, (np.ndarray, *NUMBER)),
    "list": lambda x: type(x) is list,
    "tuple": lambda x: isinstance(x, tuple),
    "dict": lambda x: isinstance(x, dict),
    "str": lambda x: type(x) is str,
    "seq": lambda x: isinstance(x, (list, tuple, range, str)) and (not isinstance(x, str) or len(x) > 0),
    "range": lambda x: isinstance(x, range),
    "object": is_object,
    "iterator": is_iterator,
    "iterable": lambda x: isinstance(x, (list, tuple, range, dict)) or isinstance(x, np.ndarray) and x.ndim > 0 or is_object(x) and hasattr(x, "__iter__"),
    "any": lambda x: True,
}

TEMPLATES = {
    "num": """
        9 {num} {arith} {num}
        2 {num} ** {power}
        0.7 {num} ** {small}|{num} ** {int}
        1 {power} ** {num}
        1 -{num}|+{num}|~{integer}|not {any}
        2 {integer} {bitwise} {integer}|{integer} {shift} {small}
        2 abs({num})|float({num})|int({num})|bool({num})|round({num})|round({num}, {small})
        1 pow({num}, {power})|max({num}, {num}, {num})|min({num}, {num})
        2 math.{math}({num})|math.{math2}({num}, {num})
        2 np.{ufunc}({num})
        2 {num} if {flag} else {num}
        2 max({list})|min({tuple})|sum({list})|sum({seq}, {num})|max({num}, {num})|sum({iterable})
        0.25 min({list}, default={num})|max({list}, key=lambda u: -u)|pow({int}, {small}, {int})
        0.25 sum({list}, start={num})|round({num}, ndigits=1)|math.{math3}({num})
        1 np.{scalar}({num})
        5 {item}
        2 {array}.{reduction}()|np.{reduction}({array})|{array}.item()|{array}.size|{array}.ndim|len({array})|{array}.shape[{small}]
        1 len({seq})|{list}.count({num})|{list}.index({num})|{tuple}.count({num})|{tuple}.index({num})|len({dict})|{range}.count({num})|{range}.index({small})
        1 {dict}.get({key}, {num})|{dict}.get({key})|{dict}[{key}]
        4 {call}
        2 {attribute}
        2 {method}
        1 ({name} := {num})
        1 {num} and {num}|{num} or {num}|{any} and {num}|{any} or {num}
        1 (lambda {u}: {u} * {num})({num})
        1 float({str_number})|int({str_number})
        1 getattr({object}, {attr_text}, {num})|getattr({array}, 'ndim', 0)
        1 np.{np_call}
        0.24 operator.{operator_name}({num}, {num})|functools.reduce(lambda u, w: u + w, {list})
        0.36 functools.reduce({reducer}, {iterable}, {num})|{list}[slice({small}, None)][0]|float({array})
        0.13 {num}.real|{num}.imag|{float}.is_integer()|{int}.bit_length()
        0.17 {num}.conjugate()|int({array})|operator.itemgetter(0)({seq})|[*{iterable}][{small}]|({num}, {num})[{flag}]
    """,
    "flag": """
        6 {num} {compare} {num}
        1 {num} {compare} {num} {compare} {num}
        1 {flag} and {flag}|{flag} or {flag}|not {flag}
        0.7 {num} in {seq}|{num} not in {seq}|{key} in {dict}|{num} in {array}|{num} in {dict}.values()|{str} in {str}|{any} in {object}
        0.7 {any} is None|{any} is not None|{flag} is True|{flag} is False|{any} is {any}|{any} is not {any}
        0.35 {seq} == {seq}|{list} {compare} {list}|{tuple} {compare} {tuple}|{dict} == {dict}
        0.35 {object} {compare} {object}|{str} {compare} {str}|{list} == {tuple}|{range} == {range}
        1 isinstance({any}, {type})|isinstance({any}, ({type}, {type}))|isinstance({num}, {type})
        0.5 callable({any})|hasattr({any}, {attr_text})|issubclass(type({any}), {type})|math.isnan({num})|math.isfinite({num})|math.isclose({num}, {num})
        1 any({list})|all({iterable})|any({tuple})|np.any({array})|np.all({array} {compare} {num})
        1 bool({any})|type({any}) is {type}|{str}.startswith({str})
    """,
    "array": """
        6 {array} {arith} {some}|{some} {arith} {array}
        0.3 {array} ** {small}|{array} ** {int}
        1 {array} ** {power}|-{array}|abs({array})|~{array}|{array} {bitwise} {array}|{array} {compare} {some}|{array} {shift} {small}
        2 np.{ufunc}({array})
        1 np.{ufunc2}({array}, {some})
        8 np.{np_call}
        4 {array_method}
        3 {array}[{array_index}]
        1 {array} @ {array}|{array}.T|{array}.astype(np.{scalar})
        1 np.where({array} {compare} {num}, {some}, {some})|np.array({list})|np.array([{num}, {num}])|np.array({tuple})|np.asarray({list})
        1 {array} if {flag} else {array}
        1 {call}
        1 {attribute}
        1 {method}
    """,
    "list": """
        2 [{num}, {num}]|[{num}]|[]|[{num}, {any}]|[*{iterable}, {num}]|[[{num}, {num}], [{num}]]|[{num}, {num}, {num}]
        3 [{comprehension}]
        1 list({iterable})|list({iterator})|list({dict}.items())|list({dict}.values())|list({dict})
        1 sorted({list})|sorted({iterable}, reverse=True)|sorted({list}, key=lambda u: -u)|sorted({list}, key=abs, reverse={flag})|sorted({dict})
        2 {list} + {list}|{list} * {small}|{small} * {list}|{list}[{slice}]|{list}.copy()|{list}[:]
        0.4 list(zip({iterable}, {iterable}))|list(enumerate({iterable}))
        0.6 list(enumerate({iterable}, start={small}))|list(enumerate({iterable}, {int}))|list(reversed({seq}))
        0.4 list(map({function}, {iterable}))|list(filter({predicate}, {iterable}))
        0.6 list(filter(None, {list}))|list(map(lambda u, w: u + w, {list}, {list}))|list(map(float, {list}))
        0.43 list(range({small}))|list(range({small}, {small}, {step}))|{array}.tolist()
        0.57 {str}.split({str})|{str}.split(sep={str})|list(zip({list}, {list}, strict={flag}))|sum([{list}, {list}], [])
        1 {list} if {flag} else {list}|{list} or {list}|{list} and {list}|divmod({num}, {num}) and [{num}]|list({object})
    """,
    "tuple": """
        2 ({num}, {num})|({num},)|()|({num}, {any})|(*{iterable}, {num})|({num}, ({num}, {any}))
        1 tuple({iterable})|tuple([{comprehension}])|{tuple} + {tuple}|{tuple} * {small}|{tuple}[{slice}]|divmod({num}, {num})|{array}.shape
        1 tuple(sorted({list}))|tuple({dict}.items())|tuple(map({function}, {iterable}))|tuple(reversed({seq}))|(lambda *u: u)({num}, {num})
    """,
    "dict": """
        2 {{'a': {num}, 'b': {num}}}|{{'a': {any}}}|{{}}|{{1: {num}, 'k': {num}}}|{{'a': {num}, **{dict}}}
        1 dict(a={num}, b={any})|dict({dict}, c={num})|dict([('a', {num}), ('b', {num})])|dict(zip(('a', 'b'), {iterable}))|{dict}.copy()|{dict} | {dict}
        0.4 {{k: {num} for k in ('a', 'b')}}|{{k: w for k, w in {dict}.items()}}
        0.6 {{k: {num} for k, w in zip('ab', {list})}}|dict(enumerate({list}))|dict.fromkeys(('a', 'b'), {num})
    """,
    "str": """
        3 {word}
        0.44 {str} + {str}|{str} * {small}|{str}[{slice}]|{str}.upper()
        0.56 {str}.replace({str}, {str})|{str}.join(['x', {str}])|{str}.strip({str})|str({str})|{str}.title()
        0.44 f'{{{str}}}-{{{str}:>4}}'|'{{}}:{{a}}'.format({str}, a={str})|'%s' % {str}|str({int_literal})
        0.56 repr({str})|type({any}).__name__|str({any})|f'{{{num}}}'|format({num}, '.2f')
    """,
    "range": """
        1.29 range({small})|range({small}, {small})|range({small}, {int_literal}, {step})
        1.71 range(len({seq}))|range({array}.shape[0])|{range}[{slice}]|range({small})[::-1]
    """,
    "iterator": """
        0.5 iter({iterable})|zip({iterable}, {iterable})|enumerate({iterable})|map({function}, {iterable})
        0.5 filter({predicate}, {iterable})|reversed({seq})|iter({dict}.items())|enumerate({iterable}, {small})
    """,
    "object": """
        3 {construct}
        3 {object} {operator} {some}|{some} {operator} {object}|{object} {operator} {object}|-{object}|abs({object})|+{object}|~{object}
        1 {method}
        1 {object}._replace({field}={num})|dataclasses.replace({object}, {field}={num})|copy.copy({object})|copy.deepcopy({object})
        1 {call}|{object} if {flag} else {object}|max({object}, {object})
    """,
    "any": """
        1 {num}|{array}|{list}|{tuple}|{str}|{num}|{object}|{item}|None|{dict}|{range}|{attribute}
    """,
    "some": """
        1 {num}|{array}
    """,
    "seq": """
        1 {list}|{tuple}|{range}|{list}|{str}
    """,
    "iterable": """
        1 {list}|{tuple}|{range}|{array}|{list}|{dict}|{object}
    """,
    "int": """
        1.38 {int} + {int}|{int} - {int}|{int} * {int}|{int} // {int}|{int} % {int}|-{int}
        1.62 len({seq})|int({num})|{int} {bitwise} {int}|abs({int})|{array}.shape[0]|{array}.size|round({num})
        1 {item}|{call}|{attribute}|{int} if {flag} else {int}|sum({range})|max({int}, {int})
    """,
    "integer": """
        2 {int}|np.{int_scalar}({int})|{array}[{array_index}]|{integer} + {integer}
    """,
    "float": """
        2 {num} * {float}|{float} + {num}|float({num})|{float} / {float}|math.{math}({float})
    """,
}

WORDS = {
    "arith": ["+", "+", "+", "-", "-", "*", "*", "*", "/", "/", "//", "%"],
    "operator": ["+", "-", "*", "@", "/", "//", "%", "**", "+", "*", "&", "|"],
    "bitwise": ["&", "|", "^"],
    "shift": ["<<", ">>"],
    "compare": ["<", "<=", ">", ">=", "==", "!="],
    "power": ["2", "2", "3", "0", "1", "-1", "0.5", "2.0", "-2", "(-1)", "(-1.0)", "1.5", "np.float32(2)", "-0.5", "True"],
    "math": ["atan", "cos", "exp", "sin", "sqrt", "tan", "tanh", "log", "sqrt", "sin", "exp"],
    "math2": ["atan2", "hypot", "atan2", "hypot", "atan2", "fmod", "copysign", "pow"],
    "math3": ["floor", "ceil", "fabs", "trunc", "degrees", "radians", "log2", "log10", "log1p", "expm1", "isqrt", "gamma", "asin", "acos", "sinh", "cosh", "erf", "cbrt", "exp2", "modf", "frexp"],
    "ufunc": ["sin", "cos", "exp", "tanh", "sqrt", "abs", "square", "negative", "floor", "ceil", "rint", "trunc", "sign", "log1p", "expm1", "arctan", "isnan",
              "isfinite", "logical_not", "sinh", "log"],
    "ufunc2": ["maximum", "minimum", "add", "subtract", "multiply", "divide", "power", "hypot", "arctan2", "mod", "floor_divide", "logical_and", "less", "equal"],
    "scalar": ["float64", "float32", "int64", "int32", "int8", "uint8", "bool_", "int16", "uint16", "uint64"],
    "int_scalar": ["int64", "int32", "int8", "uint8", "int16", "uint16", "uint64"],
    "reduction": ["sum", "mean", "max", "min", "sum", "prod", "std", "var", "any", "all", "argmax", "argmin"],
    "type": ["int", "float", "bool", "list", "tuple", "dict", "str", "np.ndarray", "np.floating", "np.integer", "np.float64", "range", "type(None)"],
    "word": ["'a'", "'b'", "'abc'", "'k-v'", "''"],
    "str_number": ["'1.5'", "'3'", "' 2 '", "'-1'", "'inf'"],
    "step": ["1", "2", "-1", "-1", "3"],
    "key": ["'a'", "'b'", "'a'", "'z'", "1"],
    "function": ["abs", "float", "lambda u: u * 2", "lambda u: u + 1.5", "lambda u: (u, u)", "int", "np.sin", "math.sin", "bool", "-1 .__mul__"],
    "predicate": ["lambda u: u > 1", "None", "lambda u: u != 2", "bool"],
    "field": ["a", "b", "c"],
    "operator_name": ["add", "mul", "sub", "truediv", "mod", "lt", "pow", "floordiv", "eq", "neg"],
    "reducer": ["lambda u, w: u * w", "max", "operator.add", "lambda u, w: w - u"],
    "u": ["u", "w"],
    "attr_text": ["'a'", "'b'", "'shape'", "'__len__'", "'scale'", "'append'", "'zz'"],
}
HOLE = re.compile(r"\{\{|\}\}|\{(\w+)\}")  # two braces are one


def parsed(templates):
    """[(template, its share)] of a block of lines `weight one|another`."""
    out = []
    for line in templates.strip().splitlines():
        weight, choices = line.strip().split(" ", 1)
        choices = re.split(r"(?<=[^|\s])\|(?=[^|\s])", choices)
        out += [(c, float(weight) / len(choices)) for c in choices]
    return out


TEMPLATES = {group: list(zip(*parsed(block))) for group, block in TEMPLATES.items()}


class Node:
    """An expression and its value in the sample run."""

    def __init__(self, text, value):
        self.text, self.value = text, value


def atomic(text):
    """May it stand beside an operator as it is?"""
    tree = ast.parse(text, mode="eval").body
    return isinstance(tree, (ast.Name, ast.Call, ast.Subscript, ast.Attribute, ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.DictComp, ast.JoinedStr)) \
        or isinstance(tree, ast.Constant) and not text.isdigit()


def too_large(x, depth=0):
    if isinstance(x, int):
        return abs(x) > 2**80
    if isinstance(x, (str, list, tuple, dict, range)):
        if len(x) > 24 or depth > 5 or isinstance(x, (str, range)):
            return len(x) > 24 or depth > 5
        items = x.values() if isinstance(x, dict) else tuple.__iter__(x) if isinstance(x, tuple) else x
        return any(too_large(i, depth + 1) for i in items)
    return isinstance(x, np.ndarray) and (x.size > 200 or x.dtype.kind not in "fiub" or x.ndim > 4)


class Expressions:
    """What can be written with the names in sight."""

    def __init__(self, rng, env, n=3):
        self.rng, self.env, self.n = rng, env, n
        self.names = []                          # in sight, and holding data
        self.fresh = 0
        self.reckless = False                    # may what raises be taken?

    # ---- trying

    def node(self, text):
        try:
            with limited(0.3):
                value = eval(text, self.env)
        except RecursionError:
            return None
        except Exception:
            return Node(text, None) if self.reckless and text.isprintable() else None
        return None if too_large(value) else Node(text, value)

    @contextlib.contextmanager
    def binding(self, names):
        """For what stands in a comprehension, a lambda or a method."""
        before, shadowed = list(self.names), {k: self.env[k] for k in names if k in self.env}
        self.env.update(names)
        self.names += names
        try:
            yield
        finally:
            self.names = before
            for k in names:
                self.env.pop(k, None)
            self.env.update(shadowed)

    # ---- drawing

    def __call__(self, group, depth=2):
        """A node of the group."""
        fits = GROUPS[group]
        for _ in range(6):
            leaf = (depth <= 0 or self.rng.random() < 0.3) and (group != "flag" or self.rng.random() < 0.15)
            node = self.leaf(group, fits) if leaf else self.grown(group, depth)
            if node is not None and fits(node.value):
                return node
        return self.leaf(group, fits) or self.node(self.literal(group))

    def leaf(self, group, fits):
        if "self" in self.names and group in ("num", "float", "any") and self.rng.random() < 0.6:
            text = self.rng.choice(["self", "self", "self", "other"]) + "." + self.rng.choice("aab")
            return self.node(text)
        names = [n for n in self.names if n in self.env and fits(self.env[n])]
        if names and (self.rng.random() < 0.82 or group in ("object", "iterator")):
            name = self.rng.choice(names[-4:] if self.rng.random() < 0.5 else names)
            return Node(name, self.env[name])
        return self.node(self.literal(group))

    def literal(self, group):
        rng = self.rng
        if group in ("num", "some", "any"):
            return values.a_number(rng, 0.06) if rng.random() < 0.93 else values.a_scalar(rng)
        if group in ("int", "integer"):
            return values.an_int(rng, 0.04)
        if group == "float":
            return values.a_float(rng)
        if group == "flag":
            return rng.choice(["True", "False"])
        if group == "array":
            return values.an_array(rng, rng.choice(values.DTYPES), rng.choice([(self.n,), (self.n,), (2,), (2, self.n)]))
        return {"str": rng.choice(WORDS["word"]), "dict": "{'a': 1.5, 'b': 2}", "tuple": "(1.0, 2)", "range": f"range({self.n})", "object": "None",
                "iterator": "iter([1.5, 2.0])"}.get(group, "[1.0, 2.5, -1.0]")

    def grown(self, group, depth):
        templates, weights = TEMPLATES[group]
        return self.fill(self.rng.choices(templates, weights)[0], depth)

    def fill(self, template, depth=2):
        """The template with its holes filled, or None."""
        careful = "**" in template or "<<" in template
        single = HOLE.fullmatch(template)

        def filled(match):
            if match[1] is None:
                return match[0][0]
            text = self.hole(match[1], depth - 1)
            if text is None:
                raise Unfit
            if match[1] not in GROUPS or single:
                return text
            keep = careful or ":=" in text or "lambda" in text or self.rng.random() > 0.25 or group_is_sequence(match[1])
            return f"({text})" if keep and not atomic(text) else text

        try:
            text = HOLE.sub(filled, template)
        except Unfit:
            return None
        if careful and not single:
            text = f"({text})"
        return self.node(text)

    def hole(self, name, depth):
        """The text for one hole, or None."""
        if name in GROUPS:
            node = self(name, depth)
            return node and node.text
        if name in WORDS:
            return self.rng.choice(WORDS[name])
        return getattr(self, "a_" + name)(depth)

    # ---- holes that look at values

    def a_small(self, depth):
        names = [n for n in self.names if type(self.env.get(n)) is int and 0 <= self.env[n] <= 4]
        return self.rng.choice(names) if names and self.rng.random() < 0.4 else str(self.rng.choice([0, 1, 2, 2, 3, self.n]))

    def a_int_literal(self, depth):
        return values.an_int(self.rng, 0.0)

    def a_name(self, depth):
        self.fresh += 1
        return f"w{self.fresh}"

    def a_slice(self, depth):
        bound = lambda: self.rng.choice(["", "", "1", "2", "-1", "0", str(self.n), "-2", "10", self.a_small(0)])
        step = self.rng.choice(["", "", "", ":2", ":-1", ":-2"])
        return f"{bound()}:{bound()}{step}"

    def a_position(self, length):
        """An index into something of that length: right mostly."""
        names = [n for n in self.names if type(self.env.get(n)) is int and -length <= self.env[n] < length]
        if names and self.rng.random() < 0.5:
            return self.rng.choice(names)
        return str(self.rng.randrange(-length, length) if length and self.rng.random() < 0.97 else self.rng.choice([0, length, -1]))

    def a_item(self, depth):
        """An item of a container or of an array."""
        names = [n for n in self.names if has_items(self.env.get(n))]
        if not names:
            return None
        name = self.rng.choice(names)
        for _ in range(3):
            node = self.node(name)
            index = node and self.an_index(node.value)
            found = index is not None and self.node(f"{name}[{index}]")
            if not found:
                return None
            name = found.text
            if not (isinstance(found.value, (list, tuple, dict)) and len(found.value)) and not (isinstance(found.value, np.ndarray) and found.value.ndim):
                break
        return name

    def an_index(self, x):
        if isinstance(x, dict):
            return repr(self.rng.choice(list(x))) if len(x) else None
        if isinstance(x, np.ndarray) and x.ndim > 1 and self.rng.random() < 0.7:
            return ", ".join(self.a_position(k) for k in x.shape)
        try:
            return self.a_position(len(x))
        except TypeError:
            return self.a_position(self.n)

    def a_array_index(self, depth):
        """Any basic or advanced index."""
        rng = self.rng
        one = lambda: rng.choice([self.a_position(self.n), self.a_slice(0), self.a_slice(0), "...", "None", ":"])
        roll = rng.random()
        if roll < 0.55:
            return one()
        if roll < 0.85:
            return f"{one()}, {one()}"
        if roll < 0.93:
            return rng.choice(["[0, 1]", "[1, 0, -1]", "np.array([0, 1, 0])", "[]", "([0, 1], [1, 0])", "[[0, 1], [1, 0]]", "True"])
        node = self("array", 0)
        return node.text if node and node.value.dtype.kind in "iub" else f"{self('array', 0).text} > 0"

    def a_comprehension(self, depth):
        """The inside of [...]: the variable is its own, whatever it is called outside."""
        over = self("iterable", 1)
        try:
            first = next(iter(over.value))
        except Exception:
            return None
        variable = self.rng.choice(["v", "v", "k"] + [n for n in self.names if n.isidentifier()][:1])
        if isinstance(first, tuple) and len(first) == 2 and self.rng.random() < 0.7:
            target, bound = "p, q", dict(zip("pq", first))
        else:
            target, bound = variable, {variable: first}
        with self.binding(bound):
            item = self(self.rng.choice(["num", "num", "num", "any", "tuple"]), depth)
            test = self("flag", 1).text if self.rng.random() < 0.25 else ""
            inner = f" for z in {self('range', 0).text}" if self.rng.random() < 0.12 else ""
        if ":=" in item.text + test:
            return None
        wrapped = over.text if atomic(over.text) else f"({over.text})"
        return f"{item.text if not item.text.startswith('*') else 0} for {target} in {wrapped}{' if ' + test if test else ''}{inner}"


@contextlib.contextmanager
def limited(seconds):
    """TimeoutError after so long: `for v in a: a.append(v)` has no end."""
    def out(*_):
        raise TimeoutError
    before = signal.signal(signal.SIGALRM, out)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def has_items(x):
    if is_object(x):
        return hasattr(type(x), "__getitem__")
    return np.ndim(x) > 0 if isinstance(x, np.ndarray) else isinstance(x, (list, tuple, dict, range)) and len(x) > 0


class Unfit(Exception):
    """A hole could not be filled."""


def group_is_sequence(group):
    return group in ("list", "tuple", "seq", "str", "range", "dict", "any", "iterable")
