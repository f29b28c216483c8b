"""Core with stores -> loop core: scalars, loops and calls of `runtime`."""
from __future__ import annotations

import contextlib
import functools
import operator

from ..analyse.ranges import MOST, Ranges
from ..analyse.sums import running_sums
from ..core import SAME, Block, Const, For, Fun, If, Let, Store, While, all_bound, bound, walk
from ..core.index_codes import entries
from ..core.types import Dim, Type
from ..library.devices import Together
from ..loop_core.core import (Assigns, Expr, If as Branch, Length, Load, Name, Share, Span, Stmt, Tuple, View, expr,
                              integer, rs)
from ..optimise.fuse import FusedKernel
from ..optimise.outline import Routine
from ..rules.host import Host
from ..rules.kinds import Reduction
from . import views
from .casts import ScalarOperand, cast_operand
from .course import axes_met, write_passed
from .functions import write_call
from .gather import GatherLoops
from .host import lower_together, write_host
from .kernel import KernelLoops
from .nest import Destination, Nest
from .parts import Part, Run, Runs
from .pull import Pull, lower_new_array
from .runtime_calls import CALLS
from .scalar import Scalars
from .share import GRAIN, has_rounds, is_work, own_parts
from .whole_ranges import asked_before
from .writer import Writer, lower_polynomial

# the operations that are written as a whole, by their class
WRITTEN_WHOLE = {FusedKernel: lambda s, let: KernelLoops(s, let).write(), Together: lower_together, Host: write_host,
                 Routine: write_call}
TOO_LARGE = f"compiled code counts up to {MOST} elements along an axis; call the function without jit"


class Lowerer(views.Know):
    """Walks a function and writes its loops."""

    def __init__(self, fun: Fun, w: Writer, ranges: Ranges, may_assume: bool = True, parallel: bool | str = False):
        self.fun, self.w, self.ranges, self.may_assume, self.parallel = fun, w, ranges, may_assume, parallel
        self.scalars = Scalars(w, ranges.fits, ranges.is_float)
        self.runs = Runs(fun, ranges.same, w.threads)
        self.sums: set[str] = set()  # results of additions whose order nothing sees
        w.scopes[0].names |= {w.name(p).id for p in fun.params}
        w.small |= {w.name(n).id for n, (low, high) in ranges.numbers.items()
                    if -MOST <= low and high <= MOST and n in w.bound}
        self.examples: set | None = None  # places of loops over examples
        self.shared: list = []  # origins of loops that threads may share
        self.conditions: list[Dim] = []  # on arguments, which the loops rely on

    def run(self, called: bool = False) -> tuple[tuple[Stmt, ...], tuple[Expr, ...]]:
        """The body, and the results; `called`: by another function of the module, and not by the user."""
        self.guards(called)
        body = self.w.scopes[0].body
        guards = len(body)
        self.block(self.fun.body)
        body[guards:guards] = self.assumptions()
        return tuple(body), tuple(self.w.atom(r) for r in self.fun.body.results)

    def guards(self, called: bool) -> None:
        """Arguments have the sizes that their types say, and none so large that products of two sizes overflow."""
        arrays = [self.w.name(p) for p in self.fun.params
                  if self.fun.types[p].kind == "array" and self.fun.types[p].rank]
        if arrays and not called:
            self.w.call(rs.check_sizes(Tuple(tuple(arrays)), self.w.site("ValueError", TOO_LARGE)))
        known: dict[str, Expr] = {}
        later = []
        for p in self.fun.params:
            for k, d in enumerate(self.fun.types[p].dims):
                length = Length(self.w.name(p), k)
                if len(d.names) == 1 and str(d) in d.names and str(d) not in known:
                    known[str(d)] = length
                    self.bind_size(str(d), length)
                else:
                    later.append((d, length))
        for d, length in later if not called else ():
            if d.names <= set(known):
                self.w.check(length.eq(lower_polynomial(d, known)), "Sizes",
                             "arguments of sizes for which this code was not made")

    def bind_size(self, name: str, length: Length) -> None:
        """Lengths have names in the text even where the program does not ask for them."""
        if name not in self.w.bound:
            self.w.bound.add(name)
            self.w.steady.add(name)
            self.w.texts[name] = self.w.fresh(name)
            self.w.assign(self.w.name(name), length)
            for names in (self.w.scopes[0].names, self.w.small, self.w.sizes):
                names.add(self.w.name(name).id)

    def assumptions(self) -> list[Stmt]:
        """What the proofs of indices rely on; where it does not hold, code that checks each index runs instead."""
        names = {n: self.w.name(n) if at is None else Length(self.w.name(at[0]), at[1])
                 for n, at in self.ranges.entry.items()}
        ints = sorted({n for c in self.conditions for n in c.names if self.ranges.entry[n] is None})
        tests = ([(names[n] >= -MOST) & (names[n] <= MOST) for n in ints]
                 + [lower_polynomial(c, names) >= 0 for c in self.conditions])
        self.w.origin = None
        with self.w.block() as checks:
            if tests:
                self.w.check(functools.reduce(operator.and_, tests), "Unproved", "")
        return checks

    def assume(self, condition: Dim) -> bool:
        """Rely on a polynomial in arguments not being negative."""
        if self.may_assume and condition not in self.conditions and all(len(m) <= 1 for m, _ in condition.terms):
            self.conditions.append(condition)
        return condition in self.conditions

    def in_range(self, atom, length: Dim) -> bool:
        """Is this index surely in range?"""
        return self.ranges.in_range(atom, length, self.assume)

    def holds(self, e: Dim) -> bool:
        """Is a polynomial surely not negative?"""
        return self.ranges.holds(e, self.assume)

    def place(self, atom, length: Dim) -> Dim | None:
        value = self.ranges.b.dim(atom)
        value = length + value if value.constant is not None and value.constant < 0 else value
        return value if self.holds(value) and self.holds(length - value) else None

    @contextlib.contextmanager
    def knowing(self):
        """What is learnt inside is forgotten after."""
        count = len(self.ranges.facts)
        yield
        del self.ranges.facts[count:]

    # blocks --------------------------------------------------------------------------------------
    def block(self, block: Block) -> None:
        done = 0
        for k, stmt in enumerate(block.stmts):
            if k < done:
                continue
            self.w.origin = stmt.origin
            run = self.runs.at(block.stmts, k)
            if run is not None:
                self.run_of_stores(run)
                done = run.end
                continue
            match stmt:
                case Let():
                    self.let(stmt)
                case Store():
                    self.store(stmt)
                case For():
                    self.loop(stmt, block.stmts[:k])
                case While():
                    self.copies(stmt.carried, stmt.inits)
                    self.know(stmt.carried)
                    with self.w.rounds(self.w.name(stmt.test), stmt), self.knowing():
                        write_passed(self.w, axes_met(stmt.body))
                        self.block(stmt.body)
                        self.copies(stmt.carried, stmt.body.results)
                case If():
                    self.branch(stmt)
            self.now_bound(stmt)

    def know(self, names) -> None:
        """These names are bound from here on."""
        self.w.scopes[-1].names |= {self.w.name(n).id for n in names}

    def now_bound(self, stmt) -> None:
        if not isinstance(stmt, Store):
            self.know(bound(stmt))
            if isinstance(stmt, Let) and stmt.op.lengths_at == 0:  # it has succeeded: these are lengths
                self.w.small |= {self.w.name(a).id for a in stmt.args if isinstance(a, str)}

    def loop(self, stmt: For, before: tuple) -> None:
        self.sums |= running_sums(stmt, self.fun.types)
        self.copies(stmt.carried, stmt.inits)
        self.know(stmt.carried)
        step = self.w.atom(stmt.step)
        if integer(step) is None:
            self.w.check(step.ne(0), "ValueError", "range() arg 3 must not be zero")
        share = self.shareable(stmt, before)
        asked = asked_before(self, stmt) if share is None else None
        if asked is None:
            return self.rounds(stmt, share)
        with self.w.block("branch") as then, self.knowing():
            self.ranges.facts += asked.known
            self.ranges.fitting = asked.fitting
            self.rounds(stmt, None)
            self.ranges.fitting = set()
        with self.w.block("branch") as orelse:
            self.rounds(stmt, None)
        self.w.add(Branch(asked.test, tuple(then), tuple(orelse)))

    def rounds(self, stmt: For, share: Share | None) -> None:
        with self.knowing():
            self.ranges.enter(stmt)
            if share is not None:
                self.shared += [stmt.origin] if stmt.origin else []
            with self.w.loop(self.w.name(stmt.index), self.w.atom(stmt.start), self.w.atom(stmt.stop),
                             self.w.atom(stmt.step), "sequential", stmt, share):
                if share is None:
                    self.hint(stmt)
                write_passed(self.w, axes_met(stmt.body))
                self.block(stmt.body)
                self.copies(stmt.carried, stmt.body.results)

    def shareable(self, stmt: For, before: tuple) -> Share | None:
        """How threads may share this loop; None where it stays in one of them."""
        if not self.wants_threads(stmt) or not self.ranges.not_negative(Dim.of(stmt.index)):
            return None
        if stmt.start != Const(0) and not all(-MOST <= n <= MOST for a in (stmt.start, stmt.stop)
                                              for n in self.ranges.interval(a)):
            return None  # their difference might overflow
        known = {name for scope in self.w.scopes for name in scope.names}
        if any(self.w.name(n).id in known for n in all_bound(stmt.body)):
            return None  # the text has a name for two things
        own = own_parts(stmt, before, self.runs.memory) if is_work(stmt) else None
        return None if own is None else Share(tuple(map(self.w.name, own)), 1 if has_rounds(stmt) else GRAIN,
                                              self.parallel is True)

    def wants_threads(self, stmt: For) -> bool:
        """Did the user ask for threads, and is no loop around it that has them, or is done as a whole by one?"""
        around = {scope.kind for scope in self.w.scopes[1:]}
        return bool(self.parallel) and "shared" not in around and ("loop" not in around or self.over_examples(stmt))

    def over_examples(self, stmt: For) -> bool:
        """Is it a loop over the examples of a batch, or the mirror of one?"""
        if self.examples is None:
            self.examples = {s.origin.mirrored() for s in walk(self.fun.body)
                             if isinstance(s, For) and s.origin and s.origin.remark}
        return stmt.origin is not None and stmt.origin.mirrored() in self.examples

    def local(self, name: str):
        """Says of a loop whether nothing of an array that its body makes is left after an iteration."""
        return lambda loop: self.runs.memory.local(name, loop)

    def run_of_stores(self, run: Run) -> None:
        for stmt in run.light:
            self.w.origin = stmt.origin
            self.let(stmt)
            self.now_bound(stmt)
        self.w.origin = (run.stores[0][1] if run.stores else run.clears[0]).origin
        loops = GatherLoops if run.gathers else KernelLoops
        loops(self, run.kernel, run.stores, run.clears, run.dead, run.beside).write()
        for stmt in (*run.aliases, *([run.kernel] if run.kernel else [])):
            if stmt is not run.kernel:
                self.let(stmt)
            self.now_bound(stmt)

    def hint(self, loop: For) -> None:
        """Tell the compiler that an index is not negative where it does not see it: it then leaves out the wrapping."""
        plain = loop.step == Const(1) and isinstance(loop.start, Const)
        if not plain and self.ranges.not_negative(Dim.of(loop.index)) and self.indexes(loop):
            self.w.call(rs.natural(self.w.name(loop.index)))

    def indexes(self, loop: For) -> bool:
        """Is the index of a loop one of an array's?"""
        return any(loop.index in (stmt.atoms if isinstance(stmt, Store) else stmt.args[1:]) for stmt in walk(loop.body)
                   if isinstance(stmt, Store) or isinstance(stmt, Let) and stmt.op.name == "getitem")

    def branch(self, stmt: If) -> None:
        then, orelse = (self.side(stmt, holds) for holds in (True, False))
        self.w.origin = stmt.origin
        self.w.add(Branch(self.w.atom(stmt.test), then, orelse))

    def side(self, stmt: If, holds: bool) -> tuple[Stmt, ...]:
        block = stmt.then if holds else stmt.orelse
        with self.w.block("branch") as body, self.knowing():
            self.ranges.learn(stmt.test, holds)
            self.block(block)
            self.copies(stmt.names, block.results)
        return tuple(body)

    def copies(self, names, atoms) -> None:
        """One parallel assignment, without what would be assigned to itself."""
        pairs = [(self.w.name(n), self.w.atom(a, self.fun.types[n].dtype)) for n, a in zip(names, atoms) if n != a]
        targets, values = zip(*pairs) if pairs else ((), ())
        if set(targets) & set(values):
            return self.w.add(Assigns(targets, values))
        for target, value in pairs:
            self.w.assign(target, value)

    # statements ----------------------------------------------------------------------------------
    def pull(self, lets) -> Pull:
        return Pull(self.w, self.scalars, lets, self)

    def let(self, let: Let) -> None:
        for kind, write in WRITTEN_WHOLE.items():
            if isinstance(let.op, kind):
                return write(self, let)
        if let.op.name in CALLS:
            return self.call(let)
        t = self.fun.types[let.name]
        if isinstance(let.op, Reduction):
            self.reduction(let)
        elif t.kind != "array":
            self.w.assign(self.w.name(let.name), self.number(let, t))
        elif let.op.memory is SAME and self.w.type(let.args[0]).kind == "array":
            self.w.alias(let.name, self.w.atom(let.args[0]))
        elif let.op.name == "getitem" and "a" not in let.param("index"):
            self.view(let)
        else:
            self.map(let)

    def call(self, let: Let) -> None:
        value = CALLS[let.op.name](self, let)
        if isinstance(value, Name) and self.fun.types[let.names[0]].kind == "array":
            self.w.alias(let.names[0], value)
        elif value is not None:
            self.w.assign(self.w.name(let.names[0]), value)

    def number(self, let: Let, t: Type) -> Expr:
        if let.op.name == "getitem":
            return Load(self.w.name(let.args[0]), self.places(let.args[0], let.args[1:]))
        pull = self.pull([])
        operands = [pull.operand(a, []) for a in let.args]
        if let.op.name == "retype":
            return operands[0].x
        if let.name in self.sums and t.dtype.kind == "f":
            return (rs.radd if let.op.name == "add" else rs.rsub)(*(cast_operand(o, t.dtype) for o in operands))
        return self.scalars.expression(let, operands, t)

    def places(self, array, atoms) -> tuple[Expr, ...]:
        """An index of ints only, wrapped and checked where it is not proved to be in range."""
        return tuple(self.placed(array, axis, atom) for axis, atom in enumerate(atoms))

    def placed(self, array, axis: int, atom) -> Expr:
        place = self.w.atom(atom)
        if self.in_range(atom, self.w.type(array).dims[axis]):
            return views.from_first(place, lambda: self.pull([]).length(array, axis))
        return views.checked_index(self.w, place, axis, self.pull([]).length(array, axis))

    def view(self, let: Let) -> None:
        """A real view: NumPy's own slicing, integers checked."""
        index, axis = [], 0
        for code, own in entries(let.param("index"), let.args[1:]):
            if code == "i":
                index.append(self.placed(let.args[0], axis, own[0]))
            elif code == "n":
                index.append(None)
            else:
                bounds = [None if a is None else self.w.atom(a) for a in own] if code != ":" else [None] * 3
                if bounds[2] is not None and integer(bounds[2]) is None:
                    self.w.check(bounds[2].ne(0), "ValueError", "slice step cannot be zero")
                index.append(Span(*bounds))
            axis += code != "n"
        self.w.assign(self.w.name(let.name), View(self.w.name(let.args[0]), tuple(index)))

    def map(self, let: Let) -> None:
        """A new array, computed element by element."""
        name, t = self.w.name(let.name), self.fun.types[let.name]
        pull = self.pull([let])
        pull.prepare([let])
        lengths = pull.shape(let.name)
        array = self.w.new(let.name + "_new", t.dtype) if let.name in let.args else name
        lower_new_array(self.w, array, lengths, self.local(let.name) if array == name else None)
        Nest(pull, lengths, destinations=[Destination(let.name, t, lambda idx: idx, array)]).write()
        if array != name:
            self.w.assign(name, array)

    def reduction(self, let: Let) -> None:
        x = let.args[0]
        pull = self.pull([let])
        Nest(pull, pull.shape(x), reductions=[let], outputs={let.name: self.w.name(let.name)}).write()

    # stores -----------------------------------------------------------------------------------------
    def store(self, stmt: Store) -> None:
        t = self.fun.types[stmt.target]
        if len(stmt.index) == t.rank and all(c == "i" for c in stmt.index):
            value = self.element_value(stmt, t)
            return self.w.store(self.w.name(stmt.target), self.places(stmt.target, stmt.atoms), value, stmt.add)
        self.store_part(stmt)

    def element_value(self, stmt: Store, t: Type) -> Expr:
        value = self.w.type(stmt.value)
        if value.kind == "array" and value.rank:
            return cast_operand(ScalarOperand(Load(self.w.atom(stmt.value), (expr(0),) * value.rank), value.scalar()),
                                t.dtype)
        return cast_operand(self.pull([]).operand(stmt.value, []), t.dtype)

    def store_part(self, stmt: Store) -> None:
        """x[index] = value: a loop over the part."""
        pull = self.pull([])
        part = Part(self, pull, stmt)
        if self.w.type(stmt.value).kind == "array":
            part.agree(stmt.value, pull)
        Nest(pull, part.lengths, destinations=[part.destination(stmt.value)]).write()
