"""Templates of expressions, the groups of values that fit their holes, and words."""
import re
import types

import numpy as np

NUMBER = (bool, int, float, np.number, np.bool_)
BASIC = (str, bytes, type(None), slice, range, list, tuple, dict, set, frozenset, type, types.FunctionType,
         types.BuiltinFunctionType, types.ModuleType, types.MethodType, complex, *NUMBER, np.ndarray, np.dtype,
         type(Ellipsis), type(NotImplemented))


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
    "iterable": lambda x: isinstance(x, (list, tuple, range, dict)) or isinstance(x, np.ndarray) and x.ndim > 0
                          or is_object(x) and hasattr(x, "__iter__"),
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
        2 {array}.{reduction}()|np.{reduction}({array})|{array}.item()|{array}.size|{array}.ndim|len({array})
            |{array}.shape[{small}]
        1 len({seq})|{list}.count({num})|{list}.index({num})|{tuple}.count({num})|{tuple}.index({num})|len({dict})
            |{range}.count({num})|{range}.index({small})
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
        0.7 {num} in {seq}|{num} not in {seq}|{key} in {dict}|{num} in {array}|{num} in {dict}.values()|{str} in {str}
            |{any} in {object}
        0.7 {any} is None|{any} is not None|{flag} is True|{flag} is False|{any} is {any}|{any} is not {any}
        0.35 {seq} == {seq}|{list} {compare} {list}|{tuple} {compare} {tuple}|{dict} == {dict}
        0.35 {object} {compare} {object}|{str} {compare} {str}|{list} == {tuple}|{range} == {range}
        1 isinstance({any}, {type})|isinstance({any}, ({type}, {type}))|isinstance({num}, {type})
        0.5 callable({any})|hasattr({any}, {attr_text})|issubclass(type({any}), {type})|math.isnan({num})
            |math.isfinite({num})|math.isclose({num}, {num})
        1 any({list})|all({iterable})|any({tuple})|np.any({array})|np.all({array} {compare} {num})
        1 bool({any})|type({any}) is {type}|{str}.startswith({str})
    """,
    "array": """
        6 {array} {arith} {some}|{some} {arith} {array}
        0.3 {array} ** {small}|{array} ** {int}
        1 {array} ** {power}|-{array}|abs({array})|~{array}|{array} {bitwise} {array}|{array} {compare} {some}
            |{array} {shift} {small}
        2 np.{ufunc}({array})
        1 np.{ufunc2}({array}, {some})
        8 np.{np_call}
        4 {array_method}
        3 {array}[{array_index}]
        1 {array} @ {array}|{array}.T|{array}.astype(np.{scalar})
        1 np.where({array} {compare} {num}, {some}, {some})|np.array({list})|np.array([{num}, {num}])|np.array({tuple})
            |np.asarray({list})
        1 {array} if {flag} else {array}
        1 {call}
        1 {attribute}
        1 {method}
    """,
    "list": """
        2 [{num}, {num}]|[{num}]|[]|[{num}, {any}]|[*{iterable}, {num}]|[[{num}, {num}], [{num}]]|[{num}, {num}, {num}]
        3 [{comprehension}]
        1 list({iterable})|list({iterator})|list({dict}.items())|list({dict}.values())|list({dict})
        1 sorted({list})|sorted({iterable}, reverse=True)|sorted({list}, key=lambda u: -u)
            |sorted({list}, key=abs, reverse={flag})|sorted({dict})
        2 {list} + {list}|{list} * {small}|{small} * {list}|{list}[{slice}]|{list}.copy()|{list}[:]
        0.4 list(zip({iterable}, {iterable}))|list(enumerate({iterable}))
        0.6 list(enumerate({iterable}, start={small}))|list(enumerate({iterable}, {int}))|list(reversed({seq}))
        0.4 list(map({function}, {iterable}))|list(filter({predicate}, {iterable}))
        0.6 list(filter(None, {list}))|list(map(lambda u, w: u + w, {list}, {list}))|list(map(float, {list}))
        0.43 list(range({small}))|list(range({small}, {small}, {step}))|{array}.tolist()
        0.57 {str}.split({str})|{str}.split(sep={str})|list(zip({list}, {list}, strict={flag}))
            |sum([{list}, {list}], [])
        1 {list} if {flag} else {list}|{list} or {list}|{list} and {list}|divmod({num}, {num}) and [{num}]
            |list({object})
    """,
    "tuple": """
        2 ({num}, {num})|({num},)|()|({num}, {any})|(*{iterable}, {num})|({num}, ({num}, {any}))
        1 tuple({iterable})|tuple([{comprehension}])|{tuple} + {tuple}|{tuple} * {small}|{tuple}[{slice}]
            |divmod({num}, {num})|{array}.shape
        1 tuple(sorted({list}))|tuple({dict}.items())|tuple(map({function}, {iterable}))|tuple(reversed({seq}))
            |(lambda *u: u)({num}, {num})
    """,
    "dict": """
        2 {{'a': {num}, 'b': {num}}}|{{'a': {any}}}|{{}}|{{1: {num}, 'k': {num}}}|{{'a': {num}, **{dict}}}
        1 dict(a={num}, b={any})|dict({dict}, c={num})|dict([('a', {num}), ('b', {num})])
            |dict(zip(('a', 'b'), {iterable}))|{dict}.copy()|{dict} | {dict}
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
        3 {object} {operator} {some}|{some} {operator} {object}|{object} {operator} {object}|-{object}|abs({object})
            |+{object}|~{object}
        1 {method}
        1 {object}._replace({field}={num})|dataclasses.replace({object}, {field}={num})|copy.copy({object})
            |copy.deepcopy({object})
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
    "power": ["2", "2", "3", "0", "1", "-1", "0.5", "2.0", "-2", "(-1)", "(-1.0)", "1.5", "np.float32(2)", "-0.5",
              "True"],
    "math": ["atan", "cos", "exp", "sin", "sqrt", "tan", "tanh", "log", "sqrt", "sin", "exp"],
    "math2": ["atan2", "hypot", "atan2", "hypot", "atan2", "fmod", "copysign", "pow"],
    "math3": ["floor", "ceil", "fabs", "trunc", "degrees", "radians", "log2", "log10", "log1p", "expm1", "isqrt",
              "gamma", "asin", "acos", "sinh", "cosh", "erf", "cbrt", "exp2", "modf", "frexp"],
    "ufunc": ["sin", "cos", "exp", "tanh", "sqrt", "abs", "square", "negative", "floor", "ceil", "rint", "trunc",
              "sign", "log1p", "expm1", "arctan", "isnan", "isfinite", "logical_not", "sinh", "log"],
    "ufunc2": ["maximum", "minimum", "add", "subtract", "multiply", "divide", "power", "hypot", "arctan2", "mod",
               "floor_divide", "logical_and", "less", "equal"],
    "scalar": ["float64", "float32", "int64", "int32", "int8", "uint8", "bool_", "int16", "uint16", "uint64"],
    "int_scalar": ["int64", "int32", "int8", "uint8", "int16", "uint16", "uint64"],
    "reduction": ["sum", "mean", "max", "min", "sum", "prod", "std", "var", "any", "all", "argmax", "argmin"],
    "type": ["int", "float", "bool", "list", "tuple", "dict", "str", "np.ndarray", "np.floating", "np.integer",
             "np.float64", "range", "type(None)"],
    "word": ["'a'", "'b'", "'abc'", "'k-v'", "''"],
    "str_number": ["'1.5'", "'3'", "' 2 '", "'-1'", "'inf'"],
    "step": ["1", "2", "-1", "-1", "3"],
    "key": ["'a'", "'b'", "'a'", "'z'", "1"],
    "function": ["abs", "float", "lambda u: u * 2", "lambda u: u + 1.5", "lambda u: (u, u)", "int", "np.sin",
                 "math.sin", "bool", "-1 .__mul__"],
    "predicate": ["lambda u: u > 1", "None", "lambda u: u != 2", "bool"],
    "field": ["a", "b", "c"],
    "operator_name": ["add", "mul", "sub", "truediv", "mod", "lt", "pow", "floordiv", "eq", "neg"],
    "reducer": ["lambda u, w: u * w", "max", "operator.add", "lambda u, w: w - u"],
    "u": ["u", "w"],
    "attr_text": ["'a'", "'b'", "'shape'", "'__len__'", "'scale'", "'append'", "'zz'"],
}
HOLE = re.compile(r"\{\{|\}\}|\{(\w+)\}")  # two braces are one


def parsed(templates):
    """[(template, its share)] of a block of lines `weight one|another`; a line that begins with | goes on."""
    out = []
    for line in re.sub(r"\n +\|", "|", templates).strip().splitlines():
        weight, choices = line.strip().split(" ", 1)
        choices = re.split(r"(?<=[^|\s])\|(?=[^|\s])", choices)
        out += [(c, float(weight) / len(choices)) for c in choices]
    return out


TEMPLATES = {group: list(zip(*parsed(block))) for group, block in TEMPLATES.items()}


def has_items(x):
    if is_object(x):
        return hasattr(type(x), "__getitem__")
    return np.ndim(x) > 0 if isinstance(x, np.ndarray) else isinstance(x, (list, tuple, dict, range)) and len(x) > 0
