"""Calls: of NumPy's functions by their own signatures, of methods, of the program's functions and classes."""
import inspect
import re
import types
from pathlib import Path

import numpy as np

from . import values
from .expressions import Expressions
from .templates import is_object

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
NAMES = sorted(set(re.findall(r"np\.([a-z_]\w*)\(", PAGE.read_text()))
               | set(re.findall(r"`np\.([a-z_]\w*)`", PAGE.read_text())))
NOT_CALLED = {"argsort",  # whose equal items come in an order that is the library's; ours keeps theirs
              "ndarray",  # of a shape: its elements are whatever memory held
              "dtype", "empty", "empty_like", "add.at", "finfo", "iinfo", "issubdtype", "result_type", "bool_"}
FUNCTIONS = {name: getattr(np, name) for name in NAMES if hasattr(np, name) and name not in NOT_CALLED}
METHODS = ["sum", "mean", "max", "min", "all", "any", "argmax", "argmin", "astype", "copy", "cumsum", "dot", "flatten",
           "item", "ravel", "reshape", "squeeze", "std", "swapaxes", "transpose", "var", "clip", "round", "sum", "max",
           "repeat", "tolist", "searchsorted", "reshape", "astype"]
METHOD_PARAMETERS = {
    "astype": ["dtype"], "dot": ["b"], "reshape": ["shape"], "swapaxes": ["axis1", "axis2"], "transpose": ["axes?"],
    "item": ["index?"], "clip": ["a_min", "a_max"],
    "repeat": ["small"], "searchsorted": ["v", "side?"], "round": ["small?"], "flatten": ["order?"],
    "ravel": ["order?"], "copy": ["order?"], "cumsum": ["axis?", "dtype?"], "squeeze": ["axis?"], "tolist": [],
    "argmax": ["axis?", "keepdims?"], "argmin": ["axis?", "keepdims?"],
    "std": ["axis?", "ddof?", "keepdims?"], "var": ["axis?", "ddof?", "keepdims?"],
    "mean": ["axis?", "dtype?", "keepdims?"], "sum": ["axis?", "dtype?", "keepdims?", "initial?", "where?"],
    "max": ["axis?", "keepdims?", "initial?"], "min": ["axis?", "keepdims?"], "any": ["axis?", "keepdims?"],
    "all": ["axis?", "keepdims?"]}
RARE = {"out", "where", "like", "device", "subok", "casting", "order", "initial", "copy", "ndmin", "ndmax", "kwargs",
        "kind", "mean", "correction", "retstep", "sorter", "endpoint", "align", "stable", "ddof"}
UFUNC_KEYWORDS = ["out", "where", "dtype", "casting", "order", "subok"]


class Calls(Expressions):
    def a_np_call(self, depth):
        name = self.rng.choice(list(FUNCTIONS))
        function = FUNCTIONS[name]
        if isinstance(function, np.ufunc):
            arguments = [self.parameter("x", depth) for _ in range(function.nin)]
            arguments += [f"{k}={self.parameter(k, depth)}" for k in UFUNC_KEYWORDS if self.rng.random() < 0.02]
            return f"{name}({', '.join(arguments)})"
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (ValueError, TypeError):          # before NumPy 2.4 a few have none
            return f"{name}({self.parameter('x', depth)})"
        return f"{name}({', '.join(self.arguments(parameters, depth))})"

    def arguments(self, parameters, depth):
        """Some of a signature's parameters: the needed ones, few of the others, by position or by name."""
        out, by_name = [], False
        for p in parameters:
            needed = p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
            chance = (1.0 if needed else 0.0 if p.name in ("kwargs", "like", "device") else 0.02 if p.name in RARE
                      else 0.35 if p.name in ("axis", "x", "y", "stop") else 0.12)
            if self.rng.random() >= chance:
                by_name = by_name or not needed
                continue
            text = self.parameter(p.name, depth)
            named = p.kind is p.KEYWORD_ONLY or by_name or self.rng.random() < 0.2
            if named and p.kind in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL):
                continue
            by_name = by_name or named
            out.append(f"{p.name}={text}" if named else text)
        return out

    def parameter(self, name, depth):
        """Something for a parameter of that name."""
        rng, n = self.rng, str(self.n)
        fixed = {"axis": ["0", "0", "1", "-1", "None", "(0, 1)", "-2"], "axis1": ["0", "1", "-1"],
                 "axis2": ["0", "1", "-1"], "axes": ["None", "(1, 0)", "(0,)"],
                 "keepdims": ["True", "False", "1"],
                 "dtype": ["np.float64", "np.float32", "np.int64", "float", "int", "bool", "np.uint8", "np.int16",
                           "np.int8", "'float32'", "None"],
                 "order": ["'C'", "'F'"],
                 "shape": [n, f"({n}, 2)", f"(2, {n})", "-1", f"({n},)", "(1, -1)", "(-1, 1)", "()", "(3, 1)",
                           f"({n}, {n})"],
                 "side": ["'left'", "'right'"], "ddof": ["0", "1"],
                 "kind": ["None", "'stable'", "'quicksort'"], "stable": ["True", "None"],
                 "num": ["2", n, "1", "4", "0"], "N": [n, "2"], "M": ["None", "2"], "n": [n, "2"],
                 "k": ["0", "1", "-1"],
                 "casting": ["'same_kind'", "'unsafe'", "'safe'"], "subok": ["False", "True"], "copy": ["True", "None"],
                 "endpoint": ["False", "True"], "retstep": ["False"],
                 "ndmin": ["1", "2"], "ndmax": ["0"], "out": ["None"], "index": ["0", "-1", "()"],
                 "initial": ["0.0", "1", "-1.5"], "step": ["1", "0.5", "2", "-1"], "correction": ["1"]}
        if name == "out" and rng.random() < 0.8:
            arrays = [k for k in self.names if isinstance(self.env.get(k), np.ndarray)]
            return rng.choice(arrays) if arrays else "None"
        if name == "where" or name == "condition":
            return f"{self('array', 0).text} > {self('num', 0).text}" if rng.random() < 0.8 else self("flag", 0).text
        if name in fixed:
            return rng.choice(fixed[name])
        if name in ("arrays", "tup"):
            if rng.random() < 0.12:
                return self("array", 1).text
            items = [self(rng.choice(["array", "array", "array", "some"]), 1).text
                     for _ in range(rng.choice([1, 2, 2, 3]))]
            return rng.choice(["[{}]", "({},)", "({},)"]).format(", ".join(items))
        if name in ("start", "start_or_stop", "stop", "small"):
            return (self.a_small(0) if rng.random() < 0.5
                    else values.a_float(rng, 0.0) if rng.random() < 0.7 or name == "small" else self("some", 1).text)
        if name in ("fill_value", "a_min", "a_max", "min", "max", "value", "v", "y", "b"):
            return self(rng.choice(["num", "num", "array"]), depth).text
        if name in ("sorter",):
            return "None"
        group = rng.choice(["array"] * 7 + ["num", "num", "list", "some"])
        node = self(group, depth)
        return node.text if node else "1.0"

    def a_array_method(self, depth):
        array = self("array", depth - 1)
        name = self.rng.choice(METHODS)
        arguments = []
        skipped = False
        for p in METHOD_PARAMETERS[name]:
            if p.endswith("?") and self.rng.random() < (0.6 if p == "axis?" else 0.96 if p[:-1] in RARE else 0.8):
                skipped = True
                continue
            text = self.parameter(p.rstrip("?"), depth)
            arguments.append(f"{p.rstrip('?')}={text}" if skipped and p[:-1] != "small" else text)
        text = array.text if re.fullmatch(r"[\w.]+", array.text) else f"({array.text})"
        return f"{text}.{name}({', '.join(arguments)})"

    # ---- what the program defines

    def samples_for(self, parameters, depth):
        """Arguments for one of the program's own functions: as they were when it was written, mostly."""
        out = []
        for p in parameters:
            if p.kind is p.VAR_KEYWORD:
                out += [f"{self.rng.choice('st')}={self('num', 0).text}"] if self.rng.random() < 0.4 else []
            elif p.kind is p.VAR_POSITIONAL:
                out += ([] if any("=" in o for o in out)
                        else [self("num", 0).text for _ in range(self.rng.choice([0, 1, 2]))])
            else:
                if p.default is not p.empty and self.rng.random() < 0.5:
                    if self.rng.random() < 0.5 or p.kind is p.KEYWORD_ONLY:
                        continue
                    break
                kind = (p.annotation if isinstance(p.annotation, str) and p.annotation in ("array", "object", "list")
                        else "num")
                node = self(kind, depth - 1)
                if node is None:
                    return None
                named = p.kind is p.KEYWORD_ONLY or any("=" in o.split("(")[0] for o in out) or self.rng.random() < 0.1
                out.append(f"{p.name}={node.text}" if named else node.text)
        if self.reckless:
            out = self.rng.choice([out[:-1], out + ["1.5"], out + ["nothing=1.5"]])
        return out

    def a_call(self, depth):
        """Of a helper, a lambda in a variable, a method in a variable, or an object with __call__."""
        callables = [n for n in self.names if isinstance(self.env.get(n), types.FunctionType)
                     or hasattr(self.env.get(n), "__wrapped__") or type(self.env.get(n)).__name__ == "partial"
                     or is_object(self.env.get(n)) and callable(self.env[n])]
        if not callables:
            return None
        name = self.rng.choice(callables)
        return self.call_of(name, self.env[name], depth)

    def call_of(self, text, function, depth):
        try:
            parameters = inspect.signature(function).parameters.values()
        except (ValueError, TypeError):
            return None
        arguments = self.samples_for(parameters, depth)
        return None if arguments is None else f"{text}({', '.join(arguments)})"

    def an_object(self):
        names = [n for n in self.names if is_object(self.env.get(n))
                 or isinstance(self.env.get(n), type) and self.env[n].__module__ == "program"]
        return self.rng.choice(names) if names else None

    def a_attribute(self, depth):
        name = self.an_object()
        if name is None:
            return None
        public = [a for a in dir(self.env[name]) if not a.startswith("_") and a not in ("count", "index")]
        public = [a for a in public if not callable(inspect.getattr_static(self.env[name], a, None))
                  or isinstance(inspect.getattr_static(self.env[name], a), property)]
        return f"{name}.{self.rng.choice(public)}" if public else None

    def a_method(self, depth):
        """Of an object or of its class; also its special methods, by what calls them."""
        name = self.an_object()
        if name is None:
            return None
        special = ["len({0})", "{0}[0]", "{0}[-1]", "bool({0})", "{0}()", "-{0}", "abs({0})", "{0} + 1", "2.0 * {0}",
                   "{0} @ {0}", "{0} == {0}", "{0} < {0}", "1 in {0}", "[v for v in {0}]", "float({0})", "{0}.zz",
                   "hash({0}) == hash({0})",
                   "{0} != {0}", "not {0}", "sum({0})", "repr({0})", "int({0})", "dataclasses.astuple({0})",
                   "dataclasses.asdict({0})", "{0}[0:1]"]
        if self.rng.random() < 0.4:
            return self.rng.choice(special).format(name)
        methods = [a for a in dir(self.env[name])
                   if not a.startswith("_") and has_method(self.env[name], a) and a not in ("count", "index")]
        if not methods:
            return None
        method = self.rng.choice(methods)
        return self.call_of(f"{name}.{method}", getattr(self.env[name], method), depth)

    def a_construct(self, depth):
        classes = [n for n in self.names if isinstance(self.env.get(n), type) and self.env[n].__module__ == "program"]
        if not classes:
            return None
        name = self.rng.choice(classes)
        return self.call_of(name, self.env[name], depth)


def has_method(obj, name) -> bool:
    try:
        return callable(getattr(obj, name))
    except Exception:                            # a property that raises
        return False
