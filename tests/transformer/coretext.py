"""Core functions from Python text, so that the test of a pass is two programs.

    f = core('''
        def f(x: "f8[n]", s: float):
            n = x.shape[0]
            y = np.zeros((n,), dtype=np.float64)
            y__1 = y                                   # the entry copy of the loop
            for i in range(0, n, 1):
                y__2 = rt.update(y__1, x[i] * s, np.s_[i])
                y__1 = y__2                            # the copies that end a block
            return (y__1,)
    ''')

It reads what `core.show` writes; nested expressions get temporaries `t`, `t__1`, ...
"""
import ast
import textwrap

import numpy as np

from gradscribe.transformer.core import Block, Builder, Const, For, If, While, split_name
from gradscribe.transformer.core.types import PY_BOOL, PY_FLOAT, PY_INT, Dim, Type
from gradscribe.transformer.core.verifier import verify
from gradscribe.transformer.rules import BY_FUNCTION, OPS

PYTHON = {"float": PY_FLOAT, "int": PY_INT, "bool": PY_BOOL}
SYMBOLS = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "power",
           ast.MatMult: "matmul", ast.FloorDiv: "floor_divide", ast.Mod: "mod", ast.USub: "negative", ast.Not: "not ",
           ast.Lt: "less", ast.LtE: "less_equal", ast.Gt: "greater", ast.GtE: "greater_equal", ast.Eq: "equal",
           ast.NotEq: "not_equal", ast.BitAnd: "and_", ast.BitOr: "or_"}


def core(text):
    return Reader(ast.parse(textwrap.dedent(text)).body[0]).function()


def type_of(text):
    if text in PYTHON:
        return PYTHON[text]
    dtype, _, dims = text.partition("[")
    dims = [Dim.of(int(d) if d.isdigit() else d) for d in dims.rstrip("]").split(", ") if d]
    return Type("array" if "[" in text else "np", np.dtype(dtype), tuple(dims))


class Reader:
    def __init__(self, tree):
        self.tree, self.b = tree, Builder()
        for node in ast.walk(tree):  # names that the text binds are taken
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                hint, number = split_name(node.id)
                self.b.used[hint] = max(self.b.used.get(hint, -1), number)

    def function(self):
        params = []
        for arg in self.tree.args.args:
            params.append(arg.arg)
            note = arg.annotation
            t = self.b.types[arg.arg] = type_of(note.value if isinstance(note, ast.Constant) else note.id)
            self.b.types |= {n: PY_INT for d in t.dims for n in d.names}
        *body, last = self.tree.body
        self.block(body)
        return verify(self.b.fun(self.tree.name, params, [self.atom(v) for v in last.value.elts]), after="the reader")

    def block(self, body):
        copies = {}
        for k, node in enumerate(body):
            match node:
                case ast.Assign(targets=[target], value=value) if self.copies(target, value) is not None:
                    copies = self.copies(target, value)
                    if k == len(body) - 1:
                        return copies
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.let(name, value)
                case ast.Expr(value=value):
                    self.expression(value)
                case ast.For() | ast.While():
                    self.loop(node, copies)
                case ast.If():
                    self.branch(node)
        return {}

    def copies(self, target, value):
        """{name: atom node} of `a, b = c, d` where all are atoms."""
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = value.elts if isinstance(value, ast.Tuple) else [value]
        if all(isinstance(v, (ast.Name, ast.Constant)) for v in values):
            return {n.id: v for n, v in zip(names, values)}
        return None

    def let(self, name, value):
        before = dict(self.b.used)
        atom = self.expression(value, hint=name)
        stmt = self.b.stmts[-1]
        self.b.stmts[-1] = type(stmt)((name,), stmt.op, stmt.args, stmt.params)
        self.b.types[name] = self.b.types.pop(atom)
        self.b.polynomials[name] = self.b.polynomials.pop(atom, Dim.of(name))
        self.b.used = ({k: max(v, before.get(k, -1)) for k, v in before.items()}
                       | {k: v for k, v in self.b.used.items() if k == "t"})

    def atom(self, node):
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Constant):
            return Const(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            return Const(-node.operand.value)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("np.float64", "np.float32"):
            return Const(eval(ast.unparse(node)))
        return self.expression(node)

    def expression(self, node, hint="t"):
        emit = lambda op, *args, **params: self.b.emit(OPS[op], *args, hint=hint, **params)  # noqa: E731
        match node:
            case ast.BinOp(left=x, op=op, right=y) | ast.Compare(left=x, ops=[op], comparators=[y]):
                return emit(SYMBOLS[type(op)], self.atom(x), self.atom(y))
            case ast.UnaryOp(op=op, operand=x):
                return emit(SYMBOLS[type(op)], self.atom(x))
            case ast.Subscript(value=ast.Attribute(value=x, attr="shape"), slice=axis):
                return emit("rt.size", self.atom(x), axis=axis.value)
            case ast.Subscript(value=x, slice=at):
                x = self.atom(x)
                index, atoms, dims = self.index(at, self.b.types[x])
                return emit("getitem", x, *atoms, index=index, dims=dims)
            case ast.Call():
                return self.call(node, emit)
        raise NotImplementedError(ast.unparse(node))

    def call(self, node, emit):
        name = ast.unparse(node.func)
        params = {k.arg: eval(ast.unparse(k.value), {"np": np}) for k in node.keywords}
        if "dtype" in params:
            params["dtype"] = np.dtype(params["dtype"])
        args = []
        for a in node.args:
            if isinstance(a, ast.Subscript) and ast.unparse(a.value) == "np.s_":
                index, atoms, dims = self.index(a.slice, self.b.types[args[0]])
                args, params = [*args, *atoms], dict(index=index, dims=dims)
            elif isinstance(a, (ast.Tuple, ast.List)):
                args += [self.atom(e) for e in a.elts]
            elif name in ("rt.astype", "rt.tape") and a is node.args[-1]:
                params["dtype"] = np.dtype(eval(ast.unparse(a), {"np": np}))
            elif name == "rt.require" and isinstance(a, ast.Constant) and isinstance(a.value, str):
                args.append(Const(a.value))
            else:
                args.append(self.atom(a))
        op = OPS.get(name) or BY_FUNCTION[eval(name, {"np": np})]
        return emit(op.name if op.name in OPS else name, *args, **params)

    def index(self, node, t):
        """(index, atoms, dims), slices taken not to clamp."""
        codes, atoms, dims, axis = [], [], [], 0
        for e in node.elts if isinstance(node, ast.Tuple) else [node]:
            if isinstance(e, ast.Slice):
                parts = [None if p is None else self.atom(p) for p in (e.lower, e.upper, e.step)]
                codes.append("s" + "".join("01"[p is not None] for p in parts) if any(p is not None for p in parts)
                             else ":")
                atoms += [p for p in parts if p is not None]
                dims.append(self.length(parts, t.dims[axis]))
                axis += 1
            elif isinstance(e, ast.Constant) and e.value is None:
                codes.append("n")
                dims.append(Dim.of(1))
            else:
                atoms.append(self.atom(e))
                array = self.b.type(atoms[-1]).kind == "array"
                codes.append("a" if array else "i")
                dims += self.b.type(atoms[-1]).dims if array else ()
                axis += 1
        return tuple(codes), tuple(atoms), tuple(dims) + t.dims[axis:]

    def length(self, parts, n):
        def place(p, default):
            d = default if p is None else self.b.dim(p)
            return n + d if d.constant is not None and d.constant < 0 else d
        return n if parts[2] is not None else place(parts[1], n) - place(parts[0], Dim.of(0))

    def loop(self, node, copies):
        carried = tuple(copies)
        inits = tuple(self.atom(v) for v in copies.values())
        for c, i in zip(carried, inits):
            self.b.types[c] = self.b.type(i)
        if isinstance(node, ast.For):
            self.b.types[node.target.id] = PY_INT
            start, stop, step = (self.atom(a) for a in node.iter.args)
        with self.b.block() as stmts:
            ends = self.block(node.body)
            nexts = tuple(self.atom(ends[c]) for c in carried)
        body = Block(tuple(stmts), nexts)
        self.b.append(For(node.target.id, start, stop, step, carried, inits, body) if isinstance(node, ast.For)
                      else While(node.test.id, carried, inits, body))

    def branch(self, node):
        test, sides = self.atom(node.test), []
        for side in (node.body, node.orelse):
            with self.b.block() as stmts:
                ends = self.block(side)
                results = [self.atom(v) for v in ends.values()]
            sides.append(Block(tuple(stmts), tuple(results)))
        for name, result in zip(ends, sides[0].results):
            self.b.types[name] = self.b.type(result)
        self.b.append(If(test, tuple(ends), *sides))
