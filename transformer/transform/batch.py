"""Batching: the function of one example becomes that of all, which stand along a new first axis.

    def f(W, x):                     def f_batch(W, x):            # x: [N, n]
        t = W @ x                        t = x @ W.T
        y = np.tanh(t)                   y = np.tanh(t)
        return (y,)                      return (y,)

What does not depend on the example stays as it is.  Where the course depends on it (a branch, a trip count, a size, an
operation without a form for several), the smallest group of statements that holds it runs example by example:

        y_all = np.zeros((N,))
        for k in range(N):
            x__1 = x[k]
            if x__1 > 0: ...
            y_all = rt.update(y_all, y, np.s_[k])
"""
from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..core import (UNNAMED, Atom, Block, Builder, Const, For, Fun, If, Let, Stmt, While, all_bound, blocks_of, bound,
                    free_names, names_among, operands, rename, split_name, walk)
from ..core.types import PY_INT, Dim
from ..core.verifier import verify
from ..errors.messages import SpecialisationError, UnsupportedError
from ..rules import OPS
from ..rules.batching import Lift, lift_rule, lifted
from ..rules.collectives import Collective
from ..rules.inference import Unbatchable
from ..rules.kept_calls import CheckpointCall
from ..rules.kinds import cast, conform, dim_atom, zeros_of
from ..rules.shape import Created
from .groups import Node, example_groups, nodes_in_order
from .threads import EACH_A_THREAD, is_for_threads

OTHER_COUNT = "its number of iterations differs between examples"


def batch(fun: Fun, batched: tuple[bool, ...], size: Dim, axis_name=None, lengths: int | None = None, calls=None,
          remarks=None, threads: bool = False) -> tuple[Fun, tuple[bool, ...]]:
    """(the function of all examples, which of its results differ between them).

    `lengths`: all results have the axis of examples but the first so many, which must be the same for all; None: those
    that differ.

    `remarks` is given (origin, why) of what runs example by example.  `threads`: each example is a thread of a GPU.
    `batched` says which parameters do; these, and such results, have the axis of examples first.  The names in `size`
    that are no parameters become parameters behind the others.
    """
    fun = with_other_names(fun, size.names)
    b = Builder(like=fun)
    b.types.update((n, PY_INT) for n in size.names)
    self = Batch(b, size, axis_name, fun, {} if calls is None else calls, [] if remarks is None else remarks,
                 threads)
    params = []
    for p, differs in zip(fun.params, batched):
        params.append(self.lifted_name(p) if differs else p)
    block, nodes = self.block(fun.body)
    with b.block() as more:
        results = tuple(self.full(r) if lengths is not None and k >= lengths else self.atom(r)
                        for k, r in enumerate(fun.body.results))
    if any(map(self.differs, fun.body.results[:lengths or 0])):
        raise Unbatchable("it returns arrays whose sizes differ between examples")
    block += more
    params += sorted(size.names - set(fun.params))
    made = Fun(f"{fun.name}_batch", tuple(params), Block(tuple(block), results), b.types, {}, fun.origin)
    return verify(made, after="batch"), tuple(self.differs(r) for r in fun.body.results)


def with_other_names(fun: Fun, names) -> Fun:
    """The function with other names where it binds some of these, which mean integers outside of it."""
    conflict = sorted(names & set(all_bound(fun.body)))
    if not conflict:
        return fun
    b = Builder(like=fun)
    mapping = {n: b.fresh(n) for n in conflict}
    dims = {n: Dim.of(x) for n, x in mapping.items()}
    types = {mapping.get(n, n): t.substitute(dims) for n, t in fun.types.items()}
    return replace(fun, body=rename(fun.body, mapping), types=types)


class Escapes(Exception):
    """A block hands on a value whose size differs between examples:
    the statement that holds it runs example by example."""


class Batch:
    def __init__(self, b: Builder, size: Dim, axis_name, fun: Fun, calls: dict, remarks: list, threads: bool):
        self.b, self.size, self.axis_name, self.fun = b, size, axis_name, fun
        self.remarks, self.threads = remarks, threads
        self.calls = calls  # operations that are calls -> those of all examples
        self.lifted: dict[str, Atom] = {}  # name of one example -> name of all
        self.ragged: set[str] = set()  # names of one example whose size differs between examples
        self.reads = count_reads(fun.body, b.types)
        self.made = {s.name: s for s in walk(fun.body) if isinstance(s, Let) and isinstance(s.op, Created)}

    # names -----------------------------------------------------------------------------------------
    def lifted_name(self, name: str) -> str:
        self.lifted[name] = self.b.fresh(name, lifted(self.b.types[name], self.size))
        return self.lifted[name]

    def differs(self, atom: Atom) -> bool:
        return isinstance(atom, str) and (atom in self.lifted or atom in self.ragged)

    def atom(self, atom: Atom) -> Atom:
        return self.lifted.get(atom, atom) if isinstance(atom, str) else atom

    def full(self, atom: Atom) -> Atom:
        """The value of all examples, where it is the same for each too."""
        if self.differs(atom):
            return self.atom(atom)
        t, b = self.b.type(atom), self.b
        if t.kind == "tape":
            return atom
        made = self.made.get(atom)
        if made is not None:
            return b.emit(made.op, dim_atom(b, self.size), *made.args, hint=atom, **dict(made.params))
        return conform(b, atom, lifted(t, self.size))

    def is_ragged(self, name: str) -> bool:
        """Does its size differ between examples?"""
        return name in self.ragged or any(self.differs(n) for d in self.b.types[name].dims for n in d.names)

    # blocks ----------------------------------------------------------------------------------------
    def block(self, block: Block) -> tuple[list[Stmt], list[Node]]:
        nodes = [self.node(stmt) for stmt in block.stmts]
        for r in block.results:
            if isinstance(r, str) and r in self.ragged:
                if block is self.fun.body:
                    self.refuse_ragged(r)
                raise Escapes("it hands on a value whose size differs between examples")
        found = example_groups(nodes, self.ragged)
        with self.b.block() as stmts:
            for item in nodes_in_order(nodes, found):
                if isinstance(item, Node):
                    self.b.stmts.extend(item.stmts)
                else:
                    self.one_by_one(item)
        return stmts, nodes

    def node(self, stmt: Stmt) -> Node:
        """What becomes of a statement: `stmts`, or None where it runs example by example."""
        node = Node(stmt, frozenset(self.needs(Block((stmt,)))), frozenset(bound(stmt)), None)
        outside = {n for name in node.reads for d in self.b.types[name].dims for n in d.names}
        depends = any(map(self.differs, node.reads)) or self.gathers(stmt)
        if not depends and not any(map(self.differs, outside)):
            return replace(node, stmts=[stmt])
        before = dict(self.lifted), set(self.ragged)
        with self.b.at(stmt.origin), self.b.block() as stmts:
            try:
                if any(map(self.is_ragged, node.reads)):
                    raise Unbatchable("it reads an array whose size differs between examples")
                match stmt:
                    case Let():
                        self.let(stmt)
                        if any(map(self.is_ragged, stmt.names)):
                            raise Unbatchable("its size differs between examples")
                    case If():
                        self.branch(stmt)
                    case For() | While():
                        self.loop(stmt)
                return replace(node, stmts=stmts)
            except (Unbatchable, Escapes) as reason:
                self.lifted, self.ragged = before
                self.refuse_collective(stmt)
                for name in node.binds:
                    self.bind_one_by_one(name, stmt)
                return replace(node, why=str(reason))

    def needs(self, block: Block) -> set[str]:
        """What a block reads, and what the types of the names name that it binds."""
        inside = set(all_bound(block))
        return free_names(block) | {n for name in inside for d in self.b.types[name].dims
                                    for n in d.names if n not in inside}

    def bind_one_by_one(self, name: str, stmt: Stmt) -> None:
        inside = set(all_bound(Block((stmt,))))
        t = self.b.types[name]
        if t.kind == "tape" or any(n in inside or self.differs(n) for d in t.dims for n in d.names):
            self.ragged.add(name)
        else:
            self.lifted_name(name)

    # statements ------------------------------------------------------------------------------------
    def gathers(self, stmt: Stmt) -> bool:
        """Is there a collective over this axis in it?"""
        return self.axis_name is not None and any(
            isinstance(x, Let) and isinstance(x.op, Collective) and x.param("axis_name") == self.axis_name
            for x in walk(Block((stmt,))))

    def refuse_collective(self, stmt: Stmt) -> None:
        for x in walk(Block((stmt,))):
            if isinstance(x, Let) and isinstance(x.op, Collective) and x.param("axis_name") == self.axis_name:
                raise UnsupportedError(x.origin,
                                       f"gs.lax.{x.op.name} in a branch or loop whose course differs between examples",
                                       instead="Call it outside, where all examples pass.")

    def let(self, let: Let) -> None:
        c = Lift(self.b, let, tuple(map(self.atom, let.args)), tuple(map(self.differs, let.args)), self.size, self.full)
        if isinstance(let.op, CheckpointCall):
            self.call(let, c)
        elif isinstance(let.op, Collective) and let.param("axis_name") == self.axis_name:
            result = let.op.gather(c)
            if result is not False:
                self.lifted[let.name] = result
        elif let.op.name == "rt.size":
            self.b.append(replace(let, args=tuple(c.args), params=(("axis", let.param("axis") + 1),)))
        else:
            for name, result in zip(let.names, lift_rule(c)):
                self.lifted[name] = result

    def call(self, let: Let, c: Lift) -> None:
        """A call of the batched function, with batched rules; all that is the user's is lifted."""
        op = let.op
        outside = list(c.batched[op.count:])
        if any(d and self.b.type(a) == PY_INT for a, d in zip(let.args[op.count:], outside)):
            raise Unbatchable("it returns arrays whose sizes differ between examples")

        def every(fun: Fun) -> Fun:
            differs = [True] * (len(fun.params) - len(outside)) + outside
            return batch(fun, tuple(differs), self.size, self.axis_name, op.lengths, self.calls, self.remarks,
                         self.threads)[0]

        more = sorted(self.size.names - set(op.fun.params))
        args = (*(c.all(k) for k in range(op.count)), *c.args[op.count:], *more)
        results = self.batched_call(op, tuple(outside), every).call(self.b, args)
        for name, result in zip(let.names[:op.lengths], results):
            self.b.append(Let((name,), OPS["retype"], (result,), (("dims", ()),), self.b.origin))
        for name, result in zip(let.names[op.lengths:], results[op.lengths:]):
            dims = lifted(self.b.types[name], self.size).dims
            self.lifted[name] = (result if self.b.type(result).dims == dims
                                 else self.b.emit(OPS["retype"], result, hint=name, dims=dims))

    def batched_call(self, op: CheckpointCall, outside, every) -> CheckpointCall:
        """The operation for all examples; its rules may call it again."""
        if (op, outside) not in self.calls:
            made = self.calls[op, outside] = op.like(every(op.fun))
            made.take_rules(op, every)
        return self.calls[op, outside]

    def branch(self, stmt: If) -> None:
        if self.differs(stmt.test):
            raise Unbatchable("its test differs between examples")
        sides = [(side, self.block(side)[0]) for side in (stmt.then, stmt.orelse)]
        apart = [any(self.differs(side.results[k]) for side, _ in sides) for k in range(len(stmt.names))]
        blocks = []
        for side, stmts in sides:
            with self.b.block() as more:
                results = tuple(self.full(r) if differ else r for r, differ in zip(side.results, apart))
            blocks.append(Block((*stmts, *more), results))
        names = tuple(self.lifted_name(n) if differ else n for n, differ in zip(stmt.names, apart))
        self.b.append(replace(stmt, names=names, then=blocks[0], orelse=blocks[1]))

    def loop(self, stmt: For | While) -> None:
        if self.threads and not self.gathers(stmt) and is_for_threads(stmt, self.b.types):
            raise Unbatchable(EACH_A_THREAD)
        if isinstance(stmt, For) and any(map(self.differs, (stmt.start, stmt.stop, stmt.step))):
            raise Unbatchable(OTHER_COUNT)
        apart = [self.differs(i) for i in stmt.inits]
        before, now = (dict(self.lifted), set(self.ragged)), None
        while now != apart:
            if now is not None:
                apart, self.lifted, self.ragged = now, dict(before[0]), set(before[1])
            stmts, now = self.iteration(stmt, apart)
        with self.b.block() as more:
            results = tuple(self.full(r) if differs else r for r, differs in zip(stmt.body.results, apart))
        inits = tuple(self.full(i) if differs else i for i, differs in zip(stmt.inits, apart))
        self.b.append(replace(stmt, carried=tuple(map(self.atom, stmt.carried)), inits=inits,
                              body=Block((*stmts, *more), results)))

    def iteration(self, stmt: For | While, apart: list[bool]) -> tuple[list[Stmt], list[bool]]:
        """(the body for all examples, which of what the loop carries differs between them after it)"""
        for c, differs in zip(stmt.carried, apart):
            if differs:
                self.lifted_name(c)
        if isinstance(stmt, While) and self.differs(stmt.test):
            raise Unbatchable(OTHER_COUNT)
        stmts, _ = self.block(stmt.body)
        return stmts, [a or self.differs(r) for a, r in zip(apart, stmt.body.results)]

    # example by example ----------------------------------------------------------------------------
    def one_by_one(self, group: list[Node]) -> None:
        """A loop over the examples with the statements of a group in it."""
        b = self.b
        block = Block(tuple(node.stmt for node in group))
        inside = count_reads(block, b.types)
        for node in group:
            self.refuse_collective(node.stmt)
        found = [n for node in group for n in bound(node.stmt)]
        outs = [n for n in found if self.differs(n) and self.reads.get(n, 0) > inside.get(n, 0)]
        same = [n for n in found if not self.differs(n)
                and (self.reads.get(n, 0) > inside.get(n, 0) or b.types[n] == PY_INT)]
        with b.at(group[0].stmt.origin):
            inits = tuple(zeros_of(b, b.types[self.atom(n)], n) for n in outs + same)
            carried = tuple(b.fresh(n, b.types[self.lifted[n]]) for n in outs) + tuple(same)
            k = b.fresh("k", PY_INT)
            with b.block() as stmts:
                mapping = {n: self.example(n, k) for n in sorted(self.needs(block)) if self.differs(n)}
                mapping |= self.renamed(block, mapping, outs)
                b.stmts.extend(rename(block, mapping).stmts)
                b.note_polynomials(b.stmts)
                nexts = tuple(b.emit(OPS["rt.update"], c, mapping[n], k, hint=n, index=("i",))
                              for c, n in zip(carried, outs))
                nexts += tuple(mapping[n] for n in same)  # what the last example has, all have
            names = tuple(self.lifted[n] for n in outs)
            b.append(For(k, Const(0), dim_atom(b, self.size), Const(1), carried, inits, Block(tuple(stmts), nexts),
                         self.remarked(group)))
            for name, c in zip(names, carried):
                b.append(Let((name,), OPS["retype"], (c,), (("dims", b.types[name].dims),), b.origin))

    def remarked(self, group: list[Node]):
        """The origin of the loop, with the reason for it."""
        first = next(node for node in group if node.why)
        if first.stmt.origin is None:
            return None
        if all(remark != (first.stmt.origin, first.why) for remark in self.remarks):
            self.remarks.append((first.stmt.origin, first.why))
        return replace(first.stmt.origin, remark=f"one example at a time: {first.why}")

    def example(self, name: str, k: str) -> Atom:
        """The value that example k has."""
        b, t = self.b, self.b.types[name]
        hint = one_name(name)
        x = b.emit(OPS["getitem"], self.lifted[name], k, hint=hint, index=("i",))
        if t.kind == "array":
            return b.emit(OPS["np.asarray"], x, hint=hint) if t.rank == 0 else x
        return cast(b, x, t.kind, t.dtype, hint)

    def renamed(self, block: Block, mapping: dict[str, Atom], outs) -> dict[str, Atom]:
        """Fresh names for those that a block binds, with their types."""
        b = self.b
        hints = {split_name(n)[0] for n in outs}
        new = {name: b.fresh(one_name(name) if split_name(name)[0] in hints else name) for name in all_bound(block)}
        dims = {n: Dim.of(x) for n, x in (mapping | new).items() if b.types[n] == PY_INT}
        for name, fresh in new.items():
            t = b.types[name]
            b.types[fresh] = t.with_dims(d.substitute(dims) for d in t.dims) if t.dims else t
        return new

    # refusals --------------------------------------------------------------------------------------
    def refuse_ragged(self, name: str) -> None:
        origin = next((s.origin for s in walk(self.fun.body) if name in bound(s)), None)
        raise SpecialisationError(origin, "the shape of the result differs from example to example",
                                  instead="Return arrays of one shape for all examples: fill them up to a length that "
                                          "all share.")


def one_name(name: str) -> str:
    """What the value of example k is called, beside that of all; a value without a name has none here."""
    return "t" if UNNAMED.match(name) else f"{split_name(name)[0]}_k"


def count_reads(block: Block, types) -> dict[str, int]:
    """How often each name is read, by a statement or by the type of what it binds."""
    counts = Counter(names_among(block.results))
    for x in walk(block):
        counts.update(names_among([*operands(x), *(r for inner in blocks_of(x) for r in inner.results)]))
    counts.update(n for name in all_bound(block) for d in types[name].dims for n in d.names)
    return counts
