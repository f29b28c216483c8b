"""Core with stores -> lines of Python that numba compiles well: scalars, loops and calls of `runtime`."""
from __future__ import annotations

import numpy as np

from ..core import Block, Const, For, Fun, If, Let, Store, While
from ..rules.kinds import Reduction
from ..types import Type
from . import views
from .calls import CALLS
from ..optimise.fuse import Kernel
from .group import Group, Target
from .kernel import KernelText
from .nest import PASSED_ON, Pull, is_elementwise, new_array
from .scalar import Operand, ScalarText
from .writer import Writer, dtype_text, tuple_text

REAL_VIEWS = {"np.transpose", "getitem"}


class Lowerer:
    """Walks a function and writes its text."""

    def __init__(self, fun: Fun, w: Writer, fits=lambda let: False, proven=lambda stmt, axis, atom: False):
        self.fun, self.w, self.proven = fun, w, proven
        self.scalars = ScalarText(w, fits)

    def run(self) -> None:
        self.guards()
        self.block(self.fun.body)
        self.w.line(f"return {tuple_text(self.result(r) for r in self.fun.body.results)}")

    def result(self, atom) -> str:
        return self.w.atom(atom)

    def guards(self) -> None:
        """Arguments have the sizes that their types say, and no size is so large that products of two overflow."""
        known: dict[str, str] = {}
        later = []
        for p in self.fun.params:
            t = self.fun.types[p]
            for k, d in enumerate(t.dims):
                text = f"{self.w.name(p)}.shape[{k}]"
                if len(d.terms) == 1 and d.terms[0][1] == 1 and len(d.terms[0][0]) == 1 and d.terms[0][0][0] not in known:
                    known[d.terms[0][0][0]] = text
                else:
                    later.append((d, text))
        for d, text in later:
            if d.names <= set(known):
                products = [" * ".join([str(c), *(known[n] for n in m)]) if c != 1 or not m else " * ".join(known[n] for n in m)
                            for m, c in d.terms]
                self.w.check(f"{text} == {' + '.join(products) or '0'}", "Assumption", f"{d} elements", text)

    # blocks --------------------------------------------------------------------------------------
    def block(self, block: Block) -> None:
        for stmt in block.stmts:
            self.w.origin = stmt.origin
            match stmt:
                case Let():
                    self.let(stmt)
                case Store():
                    self.store(stmt)
                case For():
                    self.copies(stmt.carried, stmt.inits)
                    bounds = ", ".join(self.w.atom(a) for a in (stmt.start, stmt.stop))
                    step = "" if stmt.step == Const(1) else f", {self.w.atom(stmt.step)}"
                    if step and isinstance(stmt.step, str):
                        self.w.check(f"{self.w.atom(stmt.step)} != 0", "ValueError", "range() arg 3 must not be zero")
                    with self.w.indented(f"for {self.w.name(stmt.index)} in range({bounds}{step}):"):
                        self.block(stmt.body)
                        self.copies(stmt.carried, stmt.body.results)
                case While():
                    self.copies(stmt.carried, stmt.inits)
                    with self.w.indented(f"while {self.w.name(stmt.test)}:"):
                        self.block(stmt.body)
                        self.copies(stmt.carried, stmt.body.results)
                case If():
                    self.branch(stmt)

    def branch(self, stmt: If) -> None:
        with self.w.indented(f"if {self.w.atom(stmt.test)}:"):
            self.block(stmt.then)
            self.copies(stmt.names, stmt.then.results)
        if stmt.orelse.stmts or stmt.names:
            with self.w.indented("else:"):
                self.block(stmt.orelse)
                self.copies(stmt.names, stmt.orelse.results)

    def copies(self, names, atoms) -> None:
        """One parallel assignment, without what would be assigned to itself."""
        pairs = [(self.w.name(n), self.converted(a, self.fun.types[n])) for n, a in zip(names, atoms) if n != a]
        if not pairs:
            return
        targets, values = zip(*pairs)
        if set(targets) & {v for v in values}:
            self.w.line(f"{', '.join(targets)} = {', '.join(values)}")
        else:
            for target, value in pairs:
                self.w.line(f"{target} = {value}")

    def converted(self, atom, t: Type) -> str:
        return self.w.atom(atom, t.dtype if isinstance(atom, Const) else None)

    # statements ----------------------------------------------------------------------------------
    def pull(self, lets) -> Pull:
        return Pull(self.w, self.scalars, lets, self.proven)

    def let(self, let: Let) -> None:
        name, op = (let.names or ("",))[0], let.op.name
        t = self.fun.types[name] if name else None
        if isinstance(let.op, Kernel):
            KernelText(self, let).write()
        elif op in CALLS:
            CALLS[op](self, let)
        elif t.kind != "array":
            self.scalar(let, t)
        elif isinstance(let.op, Reduction):
            self.reduction(let)
        elif op in PASSED_ON and op != "np.copy" and self.w.type(let.args[0]).kind == "array":
            self.w.line(f"{self.w.name(name)} = {self.w.atom(let.args[0])}")
        elif op == "getitem" and "a" not in let.param("index"):
            self.view(let)
        else:
            self.map(let)

    def scalar(self, let: Let, t: Type) -> None:
        if isinstance(let.op, Reduction):
            return self.reduction(let)
        pull = self.pull([])
        if let.op.name == "getitem":
            self.w.line(f"{self.w.name(let.name)} = {self.element(let)}")
            return
        operands = [pull.operand(a, []) for a in let.args]
        if let.op.name == "retype":
            self.w.line(f"{self.w.name(let.name)} = {operands[0].text}")
            return
        self.w.line(f"{self.w.name(let.name)} = {self.scalars.expression(let, operands, t)}")

    def element(self, let: Let) -> str:
        return f"{self.w.name(let.args[0])}[{self.places(let, let.args[0], let.param('index'), let.args[1:])}]"

    def places(self, stmt, array, index, atoms) -> str:
        """An index of ints only, wrapped and checked where it is not proved to be in range."""
        x, texts = self.w.name(array), []
        for axis, atom in enumerate(atoms):
            text = self.w.atom(atom)
            n = self.w.type(array).dims[axis].constant
            if not self.proven(stmt, axis, atom):
                text = views.checked_index(self.w, text, axis, f"{x}.shape[{axis}]" if n is None else str(n))
            texts.append(text)
        return ", ".join(texts) or "()"

    def view(self, let: Let) -> None:
        """A real view: NumPy's own slicing, integers checked."""
        base, texts = self.w.name(let.args[0]), []
        axis = 0
        from ..rules.indexing import entries
        for code, own in entries(let.param("index"), let.args[1:]):
            if code == "i":
                text = self.w.atom(own[0])
                if not self.proven(let, axis, own[0]):
                    text = views.checked_index(self.w, text, axis, f"{base}.shape[{axis}]")
                texts.append(text)
            elif code == "n":
                texts.append("None")
            elif code == ":":
                texts.append(":")
            else:
                start, stop, step = ("" if a is None else self.w.atom(a) for a in own)
                if step and not views.literal(step):
                    self.w.check(f"{step} != 0", "ValueError", "slice step cannot be zero")
                texts.append(f"{start}:{stop}" + (f":{step}" if step else ""))
            axis += code != "n"
        self.w.line(f"{self.w.name(let.name)} = {base}[{', '.join(texts) or '...'}]")

    def map(self, let: Let) -> None:
        """A new array, computed element by element."""
        name, t = self.w.name(let.name), self.fun.types[let.name]
        pull = self.pull([let])
        pull.prepare([let])
        lengths = pull.shape(let.name)
        fresh = self.w.fresh(let.name + "_new") if let.name in let.args else name
        new_array(self.w, fresh, t, lengths)
        target = Target(let.name, t, lambda idx: ", ".join(idx) or "()", fresh)
        Group(pull, lengths, targets=[target]).write()
        if fresh != name:
            self.w.line(f"{name} = {fresh}")

    def reduction(self, let: Let) -> None:
        x = let.args[0]
        pull = self.pull([let])
        Group(pull, pull.shape(x), reductions=[let], outputs={let.name: self.w.name(let.name)}).write()

    # stores -----------------------------------------------------------------------------------------
    def store(self, stmt: Store) -> None:
        t = self.fun.types[stmt.target]
        if len(stmt.index) == t.rank and all(c == "i" for c in stmt.index):
            pull = self.pull([])
            value = self.element_value(pull, stmt, t)
            places = self.places(stmt, stmt.target, stmt.index, stmt.atoms)
            self.w.line(f"{self.w.name(stmt.target)}[{places}] {'+=' if stmt.add else '='} {value}")
            return
        self.store_part(stmt, t)

    def element_value(self, pull: Pull, stmt: Store, t: Type) -> str:
        from .scalar import cast
        value = self.w.type(stmt.value)
        if value.kind == "array" and value.rank:
            return cast(Operand(f"{self.w.atom(stmt.value)}[{', '.join(['0'] * value.rank)}]", value.scalar()), t.dtype)
        return cast(pull.operand(stmt.value, []), t.dtype)

    def store_part(self, stmt: Store, t: Type) -> None:
        """x[index] = value: a loop over the part."""
        pull = self.pull([])
        part = Let(("part",), None, (stmt.target, *stmt.atoms), (("index", stmt.index),), stmt.origin)
        pull.proven = lambda let, axis, atom: self.proven(stmt, axis, atom)
        parts = pull.view(part)
        lengths = pull.view_lengths(part)
        ranks = [self.w.type(p.array).rank for p in parts if p.code == "a"]

        def place(idx):
            return ", ".join(views.base_index(parts, t.rank, idx, max(ranks, default=0),
                                              lambda p, out: pull.gathered(stmt.target, p, out)))

        value = self.w.type(stmt.value)
        if value.rank > len(lengths):
            raise NotImplementedError("a value of more dimensions than the part that it is stored into")
        lengths = self.agreed(stmt, value, lengths)
        Group(pull, lengths, targets=[Target(stmt.value, t, place, self.w.name(stmt.target), stmt.add)]).write()

    def agreed(self, stmt: Store, value: Type, lengths: list[str]) -> list[str]:
        """Lengths of a part, checked against those of a value, which must never be read beyond its end."""
        out = list(lengths)
        for k in range(1, value.rank + 1):
            if not value.dims[-k].is_one:
                n = f"{self.w.atom(stmt.value)}.shape[{value.rank - k}]"
                self.w.check(f"{n} == {lengths[-k]}", "ValueError", "could not broadcast input array from length {0} into length {1}", n, lengths[-k])
        return out
