"""Loop core as Python's syntax tree, and its text: how each target has it."""
from __future__ import annotations

import ast
from typing import Any, Callable

import numpy as np

from gradscribe.runtime.compiler.cache import origin

from .core import (BOOL, COMPARISONS, F8, I8, ONE, ZERO, Alloc, Assign, Assigns, Binary, Call, Cast, Check, Choose,
                   Copy, Do, Expr, Field, Function, If, Length, Load, Loop, Name, Num, Span, Stmt, Store, Tuple, Unary,
                   View, While)
from .hearing import listens, work

RUNTIME = {"rc": "complexes", "rl": "linalg", "rm": "memory", "rp": "parallel", "rs": "scalars", "sp": "cephes",
           "vm": "elementary"}
LOAD, STORE = ast.Load(), ast.Store()
SYMBOLS = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "//": ast.FloorDiv(), "%": ast.Mod(),
           "**": ast.Pow(), "<<": ast.LShift(), ">>": ast.RShift(), "&": ast.BitAnd(), "|": ast.BitOr(),
           "^": ast.BitXor(), "and": ast.And(), "or": ast.Or(),
           "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}


# expressions ------------------------------------------------------------------------------------------
def tree(e: Expr | Span | None) -> ast.expr:
    if type(e) not in TREES:
        raise TypeError(e)
    return TREES[type(e)](e)


def binary_tree(e: Binary) -> ast.expr:
    symbol, x, y = SYMBOLS[e.symbol], tree(e.x), tree(e.y)
    if e.symbol in COMPARISONS:
        return ast.Compare(x, [symbol], [y])
    return ast.BoolOp(symbol, [x, y]) if e.symbol in ("and", "or") else ast.BinOp(x, symbol, y)


def number_tree(e: Num) -> ast.expr:
    literal = literal_text(e.value)
    return literal if e.dtype in (BOOL, I8, F8) else called(f"np.{e.dtype.name}", literal)


TREES: dict[type, Callable[[Any], ast.expr]] = {
    Name: lambda e: ast.Name(e.id, LOAD), Num: number_tree,
    Load: lambda e: ast.Subscript(tree(e.array), index_text(e.index), LOAD),
    Unary: lambda e: ast.UnaryOp(ast.USub() if e.symbol == "-" else ast.Not(), tree(e.x)), Binary: binary_tree,
    Choose: lambda e: ast.IfExp(tree(e.test), tree(e.x), tree(e.y)),
    Cast: lambda e: called(dtype_name(e.dtype), tree(e.x)),
    Call: lambda e: called(e.function, *map(tree, e.args)),
    Length: lambda e: ast.Subscript(ast.Attribute(tree(e.array), "shape", LOAD), ast.Constant(e.axis), LOAD),
    View: lambda e: ast.Subscript(tree(e.array), index_text(e.index) if e.index else ast.Constant(...), LOAD),
    Span: lambda e: ast.Slice(*(None if bound is None else tree(bound) for bound in (e.start, e.stop, e.step))),
    Field: lambda e: ast.Attribute(tree(e.array), e.name, LOAD),
    Tuple: lambda e: ast.Tuple([tree(p) for p in e.parts], LOAD), type(None): ast.Constant}


def index_text(entries) -> ast.expr:
    return tree(entries[0]) if len(entries) == 1 else ast.Tuple([tree(i) for i in entries], LOAD)


def literal_text(value) -> ast.expr:
    if isinstance(value, complex):
        return called("rc.made", literal_text(value.real), literal_text(value.imag))
    if value != value:
        return dotted("np.nan")
    if not isinstance(value, bool) and (value < 0 or value == 0 and str(value)[0] == "-"):
        return ast.UnaryOp(ast.USub(), literal_text(-value))
    return dotted("np.inf") if value == np.inf else ast.Constant(value)


def dotted(name: str) -> ast.expr:
    first, *rest = name.split(".")
    out: ast.expr = ast.Name(first, LOAD)
    for part in rest:
        out = ast.Attribute(out, part, LOAD)
    return out


def called(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(dotted(name), list(args), [])


def dtype_name(dtype: np.dtype) -> str:
    return "np.bool_" if dtype == BOOL else f"np.{dtype.name}"


def stored(name: Name) -> ast.Name:
    return ast.Name(name.id, STORE)


def assigned(name: Name, value: ast.expr) -> ast.Assign:
    return ast.Assign([stored(name)], value, lineno=0)


def range_of(loop: Loop) -> ast.Call:
    bounds = [loop.start, loop.stop, loop.step] if loop.step != ONE else [loop.start, loop.stop]
    return called("range", *map(tree, bounds[1:] if loop.step == ONE and loop.start == ZERO else bounds))


# statements -------------------------------------------------------------------------------------------
class Numba:
    """Loop core as Python that numba compiles, with a compiled form for each function of `runtime`."""

    hears = False  # is what is written now in a loop that hears of signals?

    def module(self, functions, imports: dict) -> str:
        """A module with these functions; of those that it imports it has the hash, as what is compiled is kept."""
        body = "\n\n\n".join(map(self.text, functions)) + "\n"
        others = [f"from {f.__module__} import {f.__name__} as {name}  # {origin(f)}\n" for f, name in imports.items()]
        modules = [f"{module} as {name}" for name, module in RUNTIME.items() if f"{name}." in body]
        ours = f"\nfrom gradscribe.runtime.plain import {', '.join(modules)}\n" if modules else ""
        return f"import numpy as np\n{ours}{''.join(others)}\n\n{body}"

    def text(self, f: Function) -> str:
        return ast.unparse(self.function(f)).strip()

    def function(self, f: Function) -> ast.FunctionDef:
        body = self.block(f.body)
        if f.results is not None:
            body = [s for s in body if not isinstance(s, ast.Pass)] + [ast.Return(tree(Tuple(f.results)))]
        names = [ast.arg(p.id) for p in f.params]
        params = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
        return ast.FunctionDef(f.name, params, body, [dotted("rm.apart")] * f.apart, lineno=0)

    def block(self, stmts) -> list[ast.stmt]:
        return [self.statement(s) for s in stmts] or [ast.Pass()]

    def statement(self, s: Stmt) -> ast.stmt:
        match s:
            case Assign():
                return assigned(s.name, tree(s.value))
            case Assigns():
                names = ast.Tuple([stored(n) for n in s.names], STORE)
                return ast.Assign([names], tree(s.values[0] if len(s.values) == 1 else Tuple(s.values)), lineno=0)
            case Alloc():
                return assigned(s.name, called(self.memory(s), tree(Tuple(s.shape)), dotted(dtype_name(s.name.dtype))))
            case Copy():
                return assigned(s.name, self.copy(s))
            case Loop():
                return ast.For(stored(s.index), range_of(s), self.round(s), [], lineno=0)
            case While():
                return ast.While(tree(s.test), self.round(s), [])
            case If():
                return ast.If(tree(s.test), self.block(s.then), self.block(s.orelse) if s.orelse else [])
            case Store():
                target, value = ast.Subscript(tree(s.array), index_text(s.index), STORE), tree(s.value)
                return ast.AugAssign(target, ast.Add(), value) if s.add else ast.Assign([target], value, lineno=0)
            case Check():
                return self.check(s)
            case Do():
                return ast.Expr(tree(s.call))
        raise TypeError(s)

    def round(self, s: Loop | While) -> list[ast.stmt]:
        """The body of a loop, which may last."""
        hears, around = listens(s, self.hears), self.hears
        self.hears = hears or around and isinstance(s, Loop)
        body = self.block(s.body)
        self.hears = around
        return body + [ast.Expr(called("rs.listen", tree(work(s.body))))] * hears

    def memory(self, s: Alloc) -> str:
        return "rm.zeros" if s.zeroed else "rm.buffer" if s.early else "rm.empty"

    def copy(self, s: Copy) -> ast.expr:
        return called("rm.copy", tree(s.source))

    def check(self, s: Check) -> ast.stmt:
        numbers = [Tuple(s.numbers)] if s.several else [*s.numbers, ZERO, ZERO][:2]
        arguments = map(tree, (s.condition, Num(s.site, I8), *numbers))
        return ast.Expr(called("rs.check_all" if s.several else "rs.check", *arguments))


class Plain(Numba):
    """Loop core as plain Python: memory is NumPy's, and a check is a branch that raises."""

    def round(self, s: Loop | While) -> list[ast.stmt]:
        return self.block(s.body)

    def memory(self, s: Alloc) -> str:
        return "rm.buffer" if s.early else f"np.{'zeros' if s.zeroed else 'empty'}"

    def copy(self, s: Copy) -> ast.expr:
        return called(f"{s.source.id}.copy", ast.Constant("K"))

    def check(self, s: Check) -> ast.stmt:
        numbers = s.numbers if s.several else [Call("int", (n,)) for n in (*s.numbers, ZERO, ZERO)[:2]]
        stop = called("rs.Failure", *map(tree, (Num(s.site, I8), *numbers)))
        return ast.If(tree(Unary("not", s.condition)), [ast.Raise(stop)], [])


class Cuda(Plain):
    """Loop core that `kernels` has parted: kernels, which numba compiles for a GPU, and what the host does."""

    def module(self, functions, imports: dict) -> str:
        *kernels, host = functions
        made = [*map(Threads().function, kernels), self.function(host)]
        body = "\n\n\n".join([ast.unparse(f).strip() for f in made]) + "\n"
        others = [f"from {f.__module__} import {f.__name__} as {name}  # {origin(f)}\n" for f, name in imports.items()]
        used = {node.id for f in made for node in ast.walk(f) if isinstance(node, ast.Name)}
        cpu = [f"{RUNTIME[name]} as {name}" for name in ("rc", "rs", "sp", "vm") if name in used]
        first = f"from gradscribe.runtime.plain import {', '.join(cpu)}\n" if cpu else ""
        there = ["complexes as cx"] * ("cx" in used) + [
            "device as dev", "host as gpu", "linalg as rl", "memory as rm"] + ["special as sf"] * (
            "sf" in used) + ["ufuncs as un"] * ("un" in used)
        return (f"import numpy as np\n\n{first}from gradscribe.runtime.cuda import {', '.join(there)}\n"
                f"{''.join(others)}\ncuda = gpu.compiler()\n\n\n{body}")

    def memory(self, s: Alloc) -> str:
        return "rm.buffer" if s.early else f"rm.{'zeros' if s.zeroed else 'empty'}"

    def copy(self, s: Copy) -> ast.expr:
        return called("rm.copy", tree(s.source))


class Threads(Numba):
    """A kernel: where a check does not hold its thread leaves a mark and ends; none begins where there is one."""

    def round(self, s: Loop | While) -> list[ast.stmt]:
        return self.block(s.body)

    def function(self, f: Function) -> ast.FunctionDef:
        made = super().function(f)
        made.decorator_list = [dotted("gpu.kernel")]
        if f.params[0].id == "flag":
            marked = ast.Compare(ast.Subscript(ast.Name("flag", LOAD), ast.Constant(0), LOAD), [ast.NotEq()],
                                 [ast.Constant(0)])
            made.body.insert(0, ast.If(marked, [ast.Return(None)], []))
        return made

    def check(self, s: Check) -> ast.stmt:
        mark = ast.Assign([ast.Subscript(ast.Name("flag", LOAD), ast.Constant(0), STORE)],
                          ast.Constant(2 if s.site < 0 else 1), lineno=0)
        return ast.If(tree(Unary("not", s.condition)), [mark, ast.Return(None)], [])


SPELLINGS = {"numba": Numba(), "plain": Plain(), "cuda": Cuda()}


def show(node: Function | Expr) -> str:
    """The text of a function, or of an expression."""
    return SPELLINGS["numba"].text(node) if isinstance(node, Function) else ast.unparse(tree(node))
