"""Calls: user functions are inlined, NumPy functions are operations, transformed functions are transformed."""
from __future__ import annotations

import dataclasses
import functools
import inspect
import types as pytypes
from dataclasses import replace

import gast
import numpy as np

from ..capture import capture, not_python
from ..core import Const
from ..errors import GradscribeError, UnsupportedError
from ..normalise.desugar import desugar
from ..normalise.exits import structured
from ..normalise.trees import children
from . import values as v
from .expressions import evaluate
from .impure import called, refuse_impure
from .join import frames_of
from .liveness import nested_functions, reads
from .lookup import Path, attribute, lift
from ..outside import Shape
from .statements import execute
from ..tree import is_object

FUNCTIONS = {}  # function of NumPy, Python or ours -> handler(s, *values, **values)
METHODS = {}  # method name -> handler(s, value, *values, **values)
DEPTH = 60
_prepared: dict = {}


def frontend(*functions):
    """Enter a handler for calls of these functions."""
    def register(handler):
        for f in functions:
            FUNCTIONS[f] = handler
        return handler
    return register


def method(*names):
    def register(handler):
        for name in names:
            METHODS[name] = handler
        return handler
    return register


def call_value(s, function, args, kwargs):
    match function:
        case v.Closure():
            return call_closure(s, function, args, kwargs)
        case v.Bound(value=base, name=name):
            return call_method(s, base, name, args, kwargs)
        case v.Static(value=f):
            return call_static(s, f, args, kwargs)
        case v.Derived(apply=apply, function=inner):
            return apply(s, inner, args, kwargs)
        case v.Partial(function=inner, args=fixed, kwargs=named):
            return call_value(s, inner, [*fixed, *args], dict(named) | kwargs)
        case v.Pushforward(fun=recorded, primals=primals):
            from .transforms import pushed
            return pushed(s, recorded, primals, v.Tuple(tuple(args))).items[1]
        case v.Pullback():
            from .transforms import apply_pullback
            return apply_pullback(s, function, *args)
        case v.Boxed(cls=c) if hasattr(c, "__gradscribe_made_inside__"):
            return c.call_made_inside(s, function, args, kwargs)
        case v.Boxed(cls=c) | v.Tuple(cls=c) if isinstance(getattr(c, "__call__", None), pytypes.FunctionType):
            return call_value(s, v.Static(c.__call__), [function, *args], kwargs)
    s.fail(f"{s.describe(function)} is called", "Only functions can be called.")


def handler_of(f):
    try:
        return FUNCTIONS.get(f)
    except TypeError:  # unhashable
        return None


def call_static(s, f, args, kwargs):
    handler = handler_of(f)
    if handler is not None:
        return run_handler(s, handler, f, args, kwargs)
    refuse_impure(s, f)
    if hasattr(type(f), "__gradscribe_call__"):
        return f.__gradscribe_call__(s, args, kwargs)
    if isinstance(f, functools.partial):
        path = Path("partial", f, None, "default")
        s.guard(path.attr("keywords"), Shape.of(f.keywords))
        fixed = [lift(s, a, replace(path.attr("args").item(k), text=f"argument {k} of a partial"), (id(f),)) for k, a in enumerate(f.args)]
        named = {k: lift(s, a, replace(path.attr("keywords").item(k), text=k), (id(f),)) for k, a in f.keywords.items()}
        return call_value(s, v.Static(f.func), fixed + args, named | kwargs)
    if isinstance(f, functools._lru_cache_wrapper):
        return call_cached(s, f, args, kwargs)
    if isinstance(f, pytypes.MethodType):
        owner = f.__self__
        value = v.Static(owner) if not is_object(owner) else lift(s, owner, s.paths.get(id(owner)) or Path("self", owner, None, "default"), (id(owner),))
        return call_value(s, v.Static(f.__func__), [value, *args], kwargs)
    if isinstance(f, pytypes.FunctionType):
        if hasattr(f, "registry") and hasattr(f, "dispatch"):
            s.fail(f"{called(f)} is a functools.singledispatch", "Test the class in one function, with isinstance, or call the function for it.")
        return call_function(s, f, args, kwargs)
    if isinstance(f, type):
        return call_class(s, f, args, kwargs)
    if callable(f) and isinstance(getattr(type(f), "__call__", None), pytypes.FunctionType):
        s.guard(Path(type(f).__name__, type(f), None, "default").attr("__call__"), type(f).__call__)
        return call_value(s, v.Static(type(f).__call__), [v.Static(f), *args], kwargs)
    s.fail(*no_rule(f))


def call_cached(s, f, args, kwargs):
    """A function under functools.cache: computed again, it gives what it gave; as others have that too, it stays as it is."""
    for x in [*args, *kwargs.values()]:
        refuse_unhashable(s, x)
    s.guard(Path(called(f), f, None, "default").attr("__wrapped__"), f.__wrapped__)
    known = set(s.heap)
    result = call_value(s, v.Static(f.__wrapped__), args, kwargs)
    for ref, part in set(s.heap) - known:
        if part is None:
            ref.outside = ref.outside or f"what {called(f)} gave, which is cached"
    return result


def refuse_unhashable(s, x) -> None:
    """The TypeError of Python for a key that holds an array, a list or a dict."""
    for item in x.items if isinstance(x, v.Tuple) else ():
        refuse_unhashable(s, item)
    if isinstance(x, v.Array) or isinstance(x, v.Boxed) and x.cls.__hash__ is None:
        s.stop("TypeError", f"unhashable type: '{'numpy.ndarray' if isinstance(x, v.Array) else x.cls.__name__}'")


def no_rule(f) -> tuple[str, str]:
    """Why a function without a rule and without Python source is refused, and what to do instead."""
    if isinstance(getattr(f, "__wrapped__", getattr(f, "py_func", None)), pytypes.FunctionType) and not called(f).startswith("np."):
        return not_python(f)  # compiled by numba, cached, ...: the Python function is there to be called instead
    if not callable(f):
        return not_python(f)
    return f"{called(f)} has no rule", "Write it with the NumPy functions listed in docs/rules.md, or in plain Python."


def object_value(s, obj, text):
    return lift(s, obj, Path(text, obj, None, "default"), (id(obj),))


def run_handler(s, handler, f, args, kwargs):
    least, most = positional(handler)
    if kwargs or not least <= 1 + len(args) <= most:
        try:
            inspect.signature(handler).bind(s, *args, **kwargs)
        except TypeError as error:
            s.fail(f"{f if isinstance(f, str) else called(f)}: {error}", "Use only the arguments that docs/rules.md names.")
    return handler(s, *args, **kwargs)


@functools.cache
def positional(handler) -> tuple[int, float]:
    """How many arguments a handler takes by position, the machine included, where none is given by name: (at least, at most)."""
    parameters = inspect.signature(handler).parameters.values()
    if any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in parameters):
        return 1, 0
    given = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return sum(p.default is p.empty for p in given), np.inf if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(given)


def call_class(s, cls, args, kwargs):
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        values = dict(zip(cls._fields, args)) | kwargs
        for name, default in cls._field_defaults.items():
            values.setdefault(name, object_value(s, default, name))
        return v.Tuple(tuple(values[n] for n in cls._fields), cls)
    if dataclasses.is_dataclass(cls):
        fields = dataclasses.fields(cls)
        values = dict(zip([f.name for f in fields if f.init], args)) | kwargs
        for f in fields:
            if f.name not in values:
                if f.default_factory is not dataclasses.MISSING:
                    values[f.name] = call_value(s, v.Static(f.default_factory), [], {})
                    continue
                if f.default is dataclasses.MISSING:
                    s.fail(f"{cls.__name__} needs a value for '{f.name}'", "Give all fields.")
                values[f.name] = object_value(s, f.default, f.name)
        if hasattr(cls, "__post_init__"):
            s.fail(*no_class(cls))
        return s.box([values[f.name] for f in fields], cls, [f.name for f in fields], "obj")
    if issubclass(cls, np.generic):
        return run_handler(s, FUNCTIONS[np.generic], cls, [v.Static(cls), *args], kwargs)
    s.fail(*no_class(cls))


def no_class(cls) -> tuple[str, str]:
    """Why objects of a class are not made, and what to do instead."""
    if dataclasses.is_dataclass(cls):
        return f"{cls.__name__} has a __post_init__", "Compute derived values in a function instead."
    return f"an object of class {cls.__name__} is made", "Use a dataclass, NamedTuple, dict, list or tuple."


# user functions ------------------------------------------------------------------------------
def prepared(node, origin_of):
    """The desugared, structured tree of a function, the names that it binds itself, those that functions in it read, are there any."""
    if node not in _prepared:
        tree = structured(desugar(node, origin_of), origin_of)
        nested = nested_functions(tree)
        _prepared[node] = (tree, local_names(tree), frozenset().union(*map(reads, nested)), bool(nested))
    return _prepared[node]


def local_names(node) -> frozenset[str]:
    """Parameters and assigned names, those declared nonlocal apart."""
    args = node.args
    names = {a.id for a in [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]}
    outside: set[str] = set()

    todo = [*node.body]
    for n in todo:
        match n:
            case gast.FunctionDef(name=name):
                names.add(name)
                todo += [inner for d in n.decorator_list for inner in children(d)]
                continue
            case gast.Lambda():
                continue
            case gast.Nonlocal(names=ns) | gast.Global(names=ns):
                outside.update(ns)
            case gast.Name(id=name, ctx=gast.Store()):
                names.add(name)
        todo += children(n)
    return frozenset(names - outside)


def call_function(s, f, args, kwargs):
    try:
        captured = capture(f)
    except UnsupportedError as error:
        if error.origin is None and s.origin() is not None:  # no source: show where it is called
            raise UnsupportedError(s.origin(), error.message, instead=error.instead) from None
        raise
    s.main = s.main or captured
    s.guard(Path(f.__name__, f, None, "default").attr("__code__"), f.__code__)  # reloading tools replace the code of a function
    defaults = [functools.partial(object_default, s, f, "__defaults__", k - len(captured.defaults)) for k in range(len(captured.defaults))]
    kwdefaults = {k: functools.partial(object_default, s, f, "__kwdefaults__", k) for k in captured.kwdefaults}
    return run(s, captured.node, captured, None, captured.name, args, kwargs, defaults, kwdefaults)


def place(function, parameter: int | None = None):
    """Where in the user's text a function returns, or has its parameter of this number; None if it has no text."""
    node, origin_of, skip = _definition(function)
    if node is None:
        return None
    parameters = [*node.args.posonlyargs, *node.args.args]
    if parameter is not None:
        k = parameter + skip
        return origin_of(parameters[k] if k < len(parameters) else node)
    returns = [n for stmt in node.body for n in returns_of(stmt)]
    return origin_of(returns[0] if len(returns) == 1 else node)


def _definition(function):
    """(tree, origin_of, number of arguments that are bound) of a function's value."""
    match function:
        case v.Closure(node=node, frame=frame):
            return node, frame.captured.origin_of, 0
        case v.Static(value=f):
            while hasattr(f, "__gradscribe_call__") and hasattr(f, "__wrapped__"):
                f = f.__wrapped__
            try:
                captured = capture(f)
            except UnsupportedError:
                return None, None, 0
            return captured.node, captured.origin_of, len(captured.bound)
        case v.Derived(function=inner):
            return _definition(inner)
    return None, None, 0


def returns_of(node) -> list:
    """The return statements of a statement, those of nested functions apart."""
    if isinstance(node, gast.Return):
        return [node]
    nested = isinstance(node, (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.AsyncFunctionDef))
    return [] if nested else [n for child in children(node) for n in returns_of(child)]


def object_default(s, f, attr, k):
    """The default of a parameter, counted from the last or by its name."""
    number = k if isinstance(k, str) else k + len(f.__defaults__)
    path = replace(Path(f.__name__, f, None, "default").attr(attr).item(k), text=f"{f.__name__}_default_{number}")
    return lift(s, path.get(), path, (id(f),))


def closure(s, node):
    if isinstance(node, gast.Lambda):
        body = gast.Return(node.body)
        gast.copy_location(body, node.body)
        made = gast.FunctionDef("lambda_", node.args, [body], [], None, None, [])
        gast.copy_location(made, node)
        node = s.lambda_nodes.setdefault(node, made)
    args = node.args
    defaults = tuple(evaluate(s, d) for d in args.defaults)
    kwdefaults = tuple((a.id, evaluate(s, d)) for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None)
    return v.Closure(node, s.frames[-1], defaults, kwdefaults)


def call_closure(s, c: v.Closure, args, kwargs):
    return run(s, c.node, c.frame.captured, c.frame, c.node.name, args, kwargs, [lambda d=d: d for d in c.defaults], {k: lambda d=d: d for k, d in c.kwdefaults})


def run(s, node, captured, parent, name, args, kwargs, defaults, kwdefaults):
    """Run a function's body in a frame of its own."""
    if len(s.frames) > DEPTH:
        refuse_depth(s, name)
    tree, names, shared, nested = prepared(node, captured.origin_of)
    frame = v.Frame(tree, captured, parent, names, name, shared, s.node)
    bound = bind_arguments(s, node, name, args, kwargs, defaults, kwdefaults)
    for key, value in bound.items():
        s.heap[frame, key] = value
    outer_node = s.node
    s.frames.append(frame)
    try:
        result = execute(s, tree.body, frozenset())
    except RecursionError:  # Python's own limit came first
        refuse_depth(s, name)
    except GradscribeError as error:
        from .findings import complete
        complete(error, captured)
        raise
    finally:
        s.frames.pop()
        s.node = outer_node
    own = [k for k in s.heap if k[0] is frame]
    if not (nested and is_kept(s.heap, frame, result)):
        for key in own:
            del s.heap[key]
    if isinstance(result, v.Clash):
        s.clash(result, f"{name} returns different things on different paths",
               "Return the same kind of value (dtype, number of axes, lengths) on all paths.")
    return result


def refuse_depth(s, name):
    s.fail(f"{name} calls itself too deep: more than {DEPTH} calls stand in each other", "A recursion must end by something known now; write a loop.")


def is_kept(heap, frame, result) -> bool:
    """Does a function that was made in a frame outlive it?"""
    others = [x for (ref, _), x in heap.items() if isinstance(ref, v.Frame) and ref is not frame]
    return frame in frames_of(heap, [result, *others])


def bind_arguments(s, node, name, args, kwargs, defaults, kwdefaults) -> dict:
    """{parameter: value}, as Python binds them; the defaults are called where they are needed."""
    a = node.args
    positional = [p.id for p in [*a.posonlyargs, *a.args]]
    out = dict(zip(positional, args))
    if len(args) > len(positional):
        if a.vararg is None:
            s.fail(f"{name}() takes {len(positional)} positional argument{'s' * (len(positional) != 1)} but {len(args)} were given", "Check the call.")
        out[a.vararg.id] = v.Tuple(tuple(args[len(positional):]))
    elif a.vararg is not None:
        out[a.vararg.id] = v.Tuple(())
    extra = {}
    allowed = set(positional[len(a.posonlyargs):]) | {p.id for p in a.kwonlyargs}
    for key, value in kwargs.items():
        if key in allowed and key not in out:
            out[key] = value
        elif a.kwarg is not None and key not in out:
            extra[key] = value
        else:
            s.fail(f"{name}() got an unexpected or repeated argument '{key}'", "Check the call.")
    if a.kwarg is not None:
        out[a.kwarg.id] = s.box(extra.values(), dict, extra.keys(), "dict")
    for key, value in [*zip(reversed(positional), reversed(defaults)), *kwdefaults.items()]:
        if key not in out:
            out[key] = value()
    missing = [p for p in [*positional, *(p.id for p in a.kwonlyargs)] if p not in out]
    if missing:
        s.fail(f"{name}() is missing the argument{'s' if len(missing) > 1 else ''} {', '.join(map(repr, missing))}", "Check the call.")
    return out


@frontend(functools.partial)
def partial(s, function, *args, **kwargs):
    return v.Partial(function, args, tuple(kwargs.items()))


# methods -------------------------------------------------------------------------------------
def call_method(s, base, name, args, kwargs):
    if isinstance(base, v.Boxed) and not issubclass(base.cls, (list, dict)) or isinstance(base, v.Tuple) and hasattr(base.cls, name) and base.cls is not tuple:
        if isinstance(base, v.Tuple) and name == "_replace":
            items = [kwargs.get(f, x) for f, x in zip(base.cls._fields, base.items)]
            return v.Tuple(tuple(items), base.cls)
        return call_value(s, v.Static(getattr(base.cls, name)), [base, *args], kwargs)
    if isinstance(base, v.Static):
        known = [s.static(a, "it goes to a method of a static object") for a in args]
        return v.Static(getattr(base.value, name)(*known))
    key = ("list", name) if isinstance(base, v.Boxed) and base.cls is list else ("dict", name) if isinstance(base, v.Boxed) else name
    handler = METHODS.get(key)
    if handler is None:
        s.fail(f"{s.describe(base)} has no method '{name}' here", "See docs/rules.md for the methods with a rule.")
    return run_handler(s, handler, name, [base, *args], kwargs)


__all__ = ["Const", "attribute", "call_value", "closure", "frontend", "method"]
