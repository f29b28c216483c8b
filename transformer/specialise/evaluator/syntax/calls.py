"""Calls: user functions are inlined, NumPy functions are operations, transformed functions are transformed."""
from __future__ import annotations

import functools
import inspect
import operator
import types as pytypes
from contextlib import contextmanager
from dataclasses import replace

import gast
import numpy as np

from ....core import Meanwhile, OnTop
from ....errors.messages import GradscribeError, UnsupportedError
from ....frontend.capture import capture
from ....frontend.desugar import desugar
from ....frontend.exits import structured
from ....frontend.nesting import room_for
from ....frontend.trees import children, nodes
from ....frontend.yields import LEFT, check_yields, is_generator, yielding
from ....inputs.guards import Path
from ....library.ranges import item_at
from ....library.registry import METHODS, frontend
from ....library.standard import inserted, taken_out
from ....pytree.containers import is_written_by_dataclass
from ....rules.signatures import is_numpy
from ...domain import values as v
from ...domain.aliasing import forget_frame
from ...domain.growing_lists import grown
from ...domain.liveness import nested_functions
from ...refusals.findings import bound_at_node, complete
from ...refusals.impure import title_of
from ..arrays.signatures import call_numpy
from ..flow.sides import divided, on_kinds, on_sides
from ..names.lifting import lift
from ..names.tables import call_value, calls, evaluate, evaluates, execute, executes
from ..objects.attributes import AS_FUNCTIONS
from ..objects.containers import is_list, python
from ..objects.members import append_item, call_container
from ..objects.protocols import item
from .expressions import COMPREHENSIONS, arguments, comprehension_of, qualified
from .generators import CONSUMERS, consumed, zipped
from .indexing import left_to_the_run
from .recursion import bound_recursion, end_recursion
from .yielding import suspended

DEPTH = 60
AT_A_PLACE = {"insert": inserted, "pop": taken_out}  # where the place is one that only the run knows
_prepared: dict = {}


@evaluates(gast.Call)
def call(s, node):
    function = evaluate(s, node.func)
    if any([isinstance(n, gast.GeneratorExp) for n in node.args]) and (done := consumed(s, node, function)) is not None:
        return done
    if function == v.Static(zip) and not node.keywords and [*map(type, node.args)] == [gast.Starred]:
        return zipped(s, evaluate(s, comprehension_of(node.args[0].value)))
    args, kwargs = arguments(s, node, function)
    s.node = node
    return call_value(s, function, args, kwargs)


@calls(v.BoundMethod)
def call_bound(s, function, args, kwargs):
    return call_method(s, function.value, function.name, tuple(kwargs.items()), *args)


@calls(v.Derived)
def call_derived(s, function, args, kwargs):
    return function.apply(s, function.function, args, kwargs)


@calls(v.OneOf)
def call_one_of(s, function, args, kwargs):
    return divided(s, function, lambda f: call_value(s, f, args, kwargs))


@calls(v.Partial)
def call_partial(s, function, args, kwargs):
    return call_value(s, function.function, [*function.args, *args], dict(function.kwargs) | kwargs)


@calls(v.Boxed, v.Tuple)
def call_object(s, function, args, kwargs):
    if isinstance(function, v.Boxed) and hasattr(function.cls, "__gradscribe_made_inside__"):
        return function.cls.call_made_inside(s, function, args, kwargs)
    result = item(s, operator.call, function, *args, **kwargs)
    return result if result is not None else s.stop("TypeError", f"'{s.class_name(function)}' object is not callable")


# (module, name) of a method that Python writes into a class -> handler(s, its function, {parameter: argument})
WRITTEN = {}


def written_by_python(f: pytypes.FunctionType):
    """The handler of a method that `dataclass` or `namedtuple` has written into a class; None of a user's function."""
    module = f.__globals__.get("__name__", "")
    if module.startswith("namedtuple_") or module == "collections":
        module = "namedtuple"
    elif is_written_by_dataclass(getattr(f, "__wrapped__", f)):
        module = "dataclasses"
    return WRITTEN.get((module, f.__name__))


def call_cached(s, f, args, kwargs):
    """A function under functools.cache: computed again, it gives what it gave;
    as others have that too, it stays as it is."""
    for x in [*args, *kwargs.values()]:
        refuse_unhashable(s, x)
    s.guard(Path(title_of(f), f, None, "default").attr("__wrapped__"), f.__wrapped__)
    known = set(s.heap)
    result = call_value(s, v.Static(f.__wrapped__), args, kwargs)
    for ref, part in set(s.heap) - known:
        if part is None:
            ref.outside = ref.outside or f"what {title_of(f)} gave, which is cached"
    return result


def refuse_unhashable(s, x) -> None:
    """The TypeError of Python for a key that holds an array, a list or a dict."""
    for part in x.items if isinstance(x, v.Tuple) else ():
        refuse_unhashable(s, part)
    if isinstance(x, v.Array) or isinstance(x, v.Boxed) and x.cls.__hash__ is None:
        s.stop("TypeError", f"unhashable type: '{s.class_name(x)}'")


def run_handler(s, handler, f, args, kwargs):
    return run_present(s, handler, f, tuple(kwargs), *args, *kwargs.values())


@on_sides
def run_present(s, handler, f, names, *given):
    count = len(given) - len(names)
    args, kwargs = given[:count], dict(zip(names, given[count:]))
    if not isinstance(f, str) and is_numpy(f):
        return call_numpy(s, handler, f, args, kwargs)
    least, most = positional(handler)
    if kwargs or not least <= 1 + len(args) <= most:
        try:
            inspect.signature(handler).bind(s, *args, **kwargs)
        except TypeError as error:
            s.fail(f"{f if isinstance(f, str) else title_of(f)}: {error}",
                   "Use only the arguments that docs/rules.md names.")
    try:
        return handler(s, *args, **kwargs)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        # Python's own, of what is known now
        if callable(f) and all(isinstance(x, v.Static) for x in (*args, *kwargs.values())):
            python(s, functools.partial(f, **{k: x.value for k, x in kwargs.items()}),
                   *[x.value for x in args if x.value is not f])
        raise


@functools.cache
def positional(handler) -> tuple[int, float]:
    """How many arguments a handler takes by position, the machine included, where none is given by name:
    (at least, at most)."""
    parameters = inspect.signature(handler).parameters.values()
    if any(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in parameters):
        return 1, 0
    given = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return (sum(p.default is p.empty for p in given),
            np.inf if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(given))


# user functions ------------------------------------------------------------------------------
def prepared(node, origin_of, leaves=None):
    """The desugared, structured tree of a function, the names that it binds itself,
    and those that functions and iterators made in it mention; `leaves`: of a generator's loop, None without."""
    if (node, leaves) not in _prepared:
        tree = desugar(node, origin_of)
        if is_generator(node):
            check_yields(node, origin_of, leaves is None)
            tree = yielding(tree, leaves)
        tree = structured(tree, origin_of)
        inner = [n for f in (*nested_functions(tree), *kept_generators(tree)) for n in nodes(f)]
        _prepared[node, leaves] = (tree, local_names(tree) | local_names(node),
                                   frozenset([n.id for n in inner if isinstance(n, gast.Name)]))
    return _prepared[node, leaves]


def kept_generators(tree) -> list:
    """The generator expressions that may go on later: no function takes them as a whole."""
    names = {f.__name__ for f in CONSUMERS if f.__module__ == "builtins"}  # of the others a user's may have the name
    inside = nodes(tree)
    at_once = {id(arg) for n in inside if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)
               and n.func.id in names for arg in n.args}
    return [n for n in inside if isinstance(n, gast.GeneratorExp) and id(n) not in at_once]


def local_names(node) -> frozenset[str]:
    """Parameters and assigned names, those declared nonlocal apart."""
    args = node.args
    names = {a.id for a in [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]}
    outside: set[str] = set()

    todo = [*node.body]
    for n in todo:
        names |= bound_at_node(n)
        match n:
            case gast.FunctionDef():
                todo += [inner for d in n.decorator_list for inner in children(d)]
            case gast.Lambda():
                pass
            case _ if isinstance(n, COMPREHENSIONS):  # it has a scope of its own, but for what := in it binds
                names.update([inner.target.id for inner in nodes(n) if isinstance(inner, gast.NamedExpr)])
            case _:
                outside.update(n.names if isinstance(n, (gast.Nonlocal, gast.Global)) else ())
                todo += children(n)
    return frozenset(names - outside)


@calls(pytypes.FunctionType)
def call_function(s, f, args, kwargs):
    try:
        captured = capture(f)
    except UnsupportedError as error:
        if error.origin is None and s.origin() is not None:  # no source: show where it is called
            raise UnsupportedError(s.origin(), error.message, instead=error.instead) from None
        raise
    s.main = s.main or captured
    if not captured.ours:
        # reloading tools replace the code of a function
        s.guard(Path(f.__name__, f, None, "default").attr("__code__"), f.__code__)
    return run_body(s, captured.node, captured, None, captured.name, args, kwargs, *default_values(s, f))


def object_default(s, f, attr, k):
    """The default of a parameter, counted from the last or by its name."""
    number = k if isinstance(k, str) else k + len(f.__defaults__)
    path = replace(Path(f.__name__, f, None, "default").attr(attr).item(k), text=f"{f.__name__}_default_{number}")
    return lift(s, path.get(), path, (id(f),))


@functools.cache
def as_statement(node: gast.Lambda) -> gast.FunctionDef:
    body = gast.copy_location(gast.Return(node.body), node.body)
    return gast.copy_location(gast.FunctionDef("lambda_", node.args, [body], [], None, None, []), node)


@evaluates(gast.Lambda)
def closure(s, node):
    node, args = as_statement(node) if isinstance(node, gast.Lambda) else node, node.args
    defaults = tuple(evaluate(s, d) for d in args.defaults)
    kwdefaults = tuple((a.id, evaluate(s, d)) for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None)
    return v.Closure(node, s.frames[-1], defaults, kwdefaults)


@executes(gast.FunctionDef)
def function_statement(s, node):
    value = closure(s, node)
    for decorator in reversed(node.decorator_list):
        value = call_value(s, evaluate(s, decorator), [value], {})
    s.heap[s.frames[-1], node.name] = value


@calls(v.Closure)
def call_closure(s, c: v.Closure, args, kwargs):
    return run_body(s, c.node, c.frame.captured, c.frame, c.node.name, args, kwargs,
                    [lambda d=d: d for d in c.defaults], {k: lambda d=d: d for k, d in c.kwdefaults})


def run_body(s, node, captured, parent, name, args, kwargs, defaults, kwdefaults):
    """Run a function's body in a frame of its own."""
    if len(s.frames) > DEPTH:
        bound_recursion(s)
        refuse_depth(s, name)
    if len(s.frames) == DEPTH // 2:
        room_for(DEPTH)
    tree, names, shared = prepared(node, captured.origin_of)
    end_recursion(s, node, tree, name)
    frame = v.Frame(tree, captured, parent, names, name, shared, s.node, s.b.stmts)
    bound = bind_arguments(s, qualified(frame), parameters_of(node.args), args, kwargs, defaults, kwdefaults)
    for key, value in bound.items():
        s.heap[frame, key] = value
    if is_generator(node):
        return suspended(s, frame, functools.partial(generate, node))
    with inside(s, frame):
        result = execute(s, tree.body, frozenset())
    forget_frame(s.heap, frame, [result])
    if isinstance(result, v.Unjoinable):
        s.conflict(result, f"{name} returns different things on different paths",
               "Return the same kind of value (dtype, number of axes, lengths) on all paths.")
    return result


@contextmanager
def inside(s, frame):
    """The machine is in the call of a user's function."""
    with Meanwhile(s, "node", s.node), OnTop(s.frames, frame):
        try:
            with s.within(None if frame.captured.foreign else frame.hint):
                yield
        except RecursionError:  # Python's own limit came first
            refuse_depth(s, frame.hint)
        except GradscribeError as error:
            complete(error, frame.captured)
            raise


def generate(node, s, frame, leaves: bool | None):
    """Run the body of a generator; `leaves`: the loop over it may be left early, or None where it is no loop."""
    frame.node, names, _ = prepared(node, frame.captured.origin_of, leaves)
    frame.locals, frame.call = frame.locals | names | {LEFT}, s.node  # it is called where something draws from it
    s.heap[frame, LEFT] = v.Static(False)
    with inside(s, frame):
        execute(s, frame.node.body, frozenset())


def refuse_depth(s, name):
    s.fail(f"{name} calls itself too deep: more than {DEPTH} calls stand in each other",
           "A recursion must end by something known now; write a loop.")


@functools.cache
def binder(only: tuple, names: tuple, rest: str | None, keywords: tuple, others: str | None) -> pytypes.CodeType:
    """A function of these parameters that returns what each of them is bound to:
    Python binds, and words what is wrong."""
    parts = [*only, *["/"] * bool(only), *names, *([f"*{rest}"] if rest else ["*"] * bool(keywords)), *keywords,
             *([f"**{others}"] if others else [])]
    namespace: dict = {}
    exec(f"def bound({', '.join(parts)}): return _gs_locals()", namespace)  # one may be called locals
    return namespace["bound"].__code__


def bind_arguments(s, title: str, parameters: tuple, args, kwargs, defaults, kwdefaults) -> dict:
    """{parameter: value}, as Python binds them; `title`: what its messages call the function;
    defaults are called where they are needed."""
    function = pytypes.FunctionType(binder(*parameters), {"_gs_locals": locals}, "bound", tuple(defaults))
    function.__kwdefaults__, function.__qualname__ = dict(kwdefaults), title
    bound = python(s, function, *args, **kwargs)
    *_, rest, _, others = parameters
    out = {k: x() if isinstance(x, (functools.partial, pytypes.FunctionType)) else x for k, x in bound.items()}
    if rest:
        out[rest] = v.Tuple(out[rest])
    if others:
        out[others] = s.box(out[others].values(), dict, out[others].keys(), "dict")
    return out


def parameters_of(args: gast.arguments) -> tuple:
    """The names of a function's parameters, as `binder` takes them."""
    only, names, keywords = ([p.id for p in group] for group in (args.posonlyargs, args.args, args.kwonlyargs))
    return tuple(only), tuple(names), args.vararg and args.vararg.id, tuple(keywords), args.kwarg and args.kwarg.id


def default_values(s, f):
    """What gives the defaults of a function from outside: by position, and by name."""
    positional = f.__defaults__ or ()
    return ([functools.partial(object_default, s, f, "__defaults__", k - len(positional))
             for k in range(len(positional))],
            {k: functools.partial(object_default, s, f, "__kwdefaults__", k) for k in f.__kwdefaults__ or {}})


def bound_arguments(s, f: pytypes.FunctionType, args, kwargs) -> dict:
    """{parameter: value} of a function that has no text."""
    code = f.__code__
    names, only, count = code.co_varnames, code.co_posonlyargcount, code.co_argcount
    keywords = names[count:count + code.co_kwonlyargcount]
    more = iter(names[count + len(keywords):])
    rest = next(more) if code.co_flags & inspect.CO_VARARGS else None
    others = next(more) if code.co_flags & inspect.CO_VARKEYWORDS else None
    return bind_arguments(s, f.__qualname__, (names[:only], names[only:count], rest, keywords, others), args, kwargs,
                          *default_values(s, f))


frontend(functools.partial)(lambda s, function, /, *args, **kwargs: v.Partial(function, args, tuple(kwargs.items())))


# methods -------------------------------------------------------------------------------------
@on_kinds
def call_method(s, base, name, named, *args):
    """base.name(*args, **dict(named))"""
    args, kwargs = [*args], dict(named)
    if is_list(base) and name == "append" and len(args) == 1 and not kwargs:
        return append_item(s, base, *args)
    if (name in AT_A_PLACE and args and not kwargs and is_list(base) and grown(s, base) is None
            and left_to_the_run(s, args[0], s.items(base))):
        return call_value(s, v.Static(AT_A_PLACE[name]), [base, *args], {})
    if isinstance(base, (v.Static, v.Tuple, v.Boxed)):
        return call_container(s, base, name, args, kwargs)
    handler = METHODS.get(name)
    if name == "item" and args:
        return call_function(s, item_at, [base, *args], kwargs)
    if handler is None and s.is_numeric(base) and name in AS_FUNCTIONS:
        k = int(name == "compress")  # whose first argument is the condition
        return call_value(s, v.Static(AS_FUNCTIONS[name]), [*args[:k], base, *args[k:]], kwargs)
    if handler is None or not s.is_numeric(base):
        s.fail(f"{s.describe(base)} has no method '{name}' here", "See docs/rules.md for the methods with a rule.")
    return (call_numpy if hasattr(np.ndarray, name) else run_handler)(s, handler, name, [base, *args], kwargs)
