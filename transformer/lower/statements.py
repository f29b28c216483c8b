"""Core with stores -> lines of Python that numba compiles well: scalars, loops and calls of `runtime`."""
from __future__ import annotations

import contextlib

from ..analyse.ranges import MOST, Ranges
from ..analyse.sums import running_sums
from ..core import SAME, Block, Const, For, Fun, If, Let, Store, While, all_bound, bound, walk
from ..rules.host import Host
from ..rules.kinds import Reduction
from ..types import Dim, Type
from . import views
from .calls import CALLS
from ..optimise.fuse import Kernel
from ..optimise.outline import Routine
from .functions import write_call
from .group import Group, Target
from .host import write_host
from .kernel import KernelText
from .parts import Part, Run, Runs
from .nest import Pull, new_array
from .scalar import Operand, ScalarText, cast
from .share import is_work, own_parts, write_shared
from .writer import Writer, polynomial, tuple_text



TOO_LARGE = f"compiled code counts up to {MOST} elements along an axis; call the function without jit"


class Lowerer(views.Know):
    """Walks a function and writes its text."""

    def __init__(self, fun: Fun, w: Writer, ranges: Ranges, may_assume: bool = True, parallel: bool | str = False):
        self.fun, self.w, self.ranges, self.may_assume, self.parallel = fun, w, ranges, may_assume, parallel
        self.scalars = ScalarText(w, ranges.fits, ranges.is_float)
        self.runs = Runs(fun, ranges.same)
        self.sums: set[str] = set()  # results of additions whose order nothing sees
        w.scopes[0].names |= {w.name(p) for p in fun.params}
        w.small |= {w.name(n) for n, (low, high) in ranges.numbers.items() if -MOST <= low and high <= MOST and n in w.bound}
        self.examples: set | None = None  # places of loops over examples
        self.shared: list = []  # origins of loops that threads may share
        self.conditions: list[Dim] = []  # on arguments, which the text relies on

    def run(self, called: bool = False) -> None:
        """The whole function; `called`: by another of the module, and not by the user."""
        self.guards(called)
        start = len(self.w.lines)
        self.block(self.fun.body)
        body, self.w.lines = self.w.lines[start:], self.w.lines[:start]
        self.assumptions()
        self.w.lines += body
        self.w.line(f"return {tuple_text(self.result(r) for r in self.fun.body.results)}")

    def result(self, atom) -> str:
        return self.w.atom(atom)

    def guards(self, called: bool) -> None:
        """Arguments have the sizes that their types say, and none so large that products of two sizes overflow."""
        arrays = [self.w.name(p) for p in self.fun.params if self.fun.types[p].kind == "array" and self.fun.types[p].rank]
        if arrays and not called:
            self.w.line(f"rs.check_sizes({tuple_text(arrays)}, {self.w.site('ValueError', TOO_LARGE)})")
        known: dict[str, str] = {}
        later = []
        for p in self.fun.params:
            for k, d in enumerate(self.fun.types[p].dims):
                text = f"{self.w.name(p)}.shape[{k}]"
                if len(d.names) == 1 and str(d) in d.names and str(d) not in known:
                    known[str(d)] = text
                    self.bind_size(str(d), text)
                else:
                    later.append((d, text))
        for d, text in later if not called else ():
            if d.names <= set(known):
                self.w.check(f"{text} == {polynomial(d, known)}", "Sizes", "arguments of sizes for which this code was not made")

    def bind_size(self, name: str, text: str) -> None:
        """Lengths have names in the text even where the program does not ask for them."""
        if name not in self.w.bound:
            self.w.bound.add(name)
            self.w.steady.add(name)
            self.w.texts[name] = self.w.fresh(name)
            self.w.line(f"{self.w.name(name)} = {text}")
            self.w.scopes[0].names.add(self.w.name(name))
            self.w.small.add(self.w.name(name))
            self.w.sizes.add(self.w.name(name))

    def assumptions(self) -> None:
        """What the proofs of indices rely on; where it does not hold, code that checks each index runs instead."""
        names = {n: self.w.name(n) if at is None else f"{self.w.name(at[0])}.shape[{at[1]}]" for n, at in self.ranges.entry.items()}
        ints = sorted({n for c in self.conditions for n in c.names if self.ranges.entry[n] is None})
        small = [f"(-{MOST} <= {names[n]} <= {MOST})" for n in ints]
        tests = small + [f"({polynomial(c, names)} >= 0)" for c in self.conditions]
        if tests:
            self.w.origin = None
            self.w.check(" & ".join(tests), "Unproved", "")

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
                    self.w.scopes[-1].names |= {self.w.name(c) for c in stmt.carried}
                    with self.w.indented(f"while {self.w.name(stmt.test)}:", "loop", stmt), self.knowing():
                        self.block(stmt.body)
                        self.copies(stmt.carried, stmt.body.results)
                case If():
                    self.branch(stmt)
            self.now_bound(stmt)

    def now_bound(self, stmt) -> None:
        if not isinstance(stmt, Store):
            self.w.scopes[-1].names |= {self.w.name(n) for n in bound(stmt)}
            if isinstance(stmt, Let) and stmt.op.lengths_at == 0:  # it has succeeded: these are lengths
                self.w.small |= {self.w.name(a) for a in stmt.args if isinstance(a, str)}

    def loop(self, stmt: For, before: tuple) -> None:
        self.sums |= running_sums(stmt, self.fun.types)
        self.copies(stmt.carried, stmt.inits)
        self.w.scopes[-1].names |= {self.w.name(c) for c in stmt.carried}
        step = "" if stmt.step == Const(1) else f", {self.w.atom(stmt.step)}"
        if step and isinstance(stmt.step, str):
            self.w.check(f"{self.w.atom(stmt.step)} != 0", "ValueError", "range() arg 3 must not be zero")
        with self.knowing():
            self.ranges.enter(stmt)
            arrays = self.shareable(stmt, before)
            if arrays is not None:
                self.shared += [stmt.origin] if stmt.origin else []
                return write_shared(self, stmt, arrays, lambda: self.block(stmt.body))
            bounds = ", ".join(self.w.atom(a) for a in (stmt.start, stmt.stop))
            with self.w.indented(f"for {self.w.name(stmt.index)} in range({bounds}{step}):", "loop", stmt):
                self.w.scopes[-1].names.add(self.w.name(stmt.index))
                self.hint(stmt)
                self.block(stmt.body)
                self.copies(stmt.carried, stmt.body.results)

    def shareable(self, stmt: For, before: tuple) -> list[str] | None:
        """The arrays that threads may fill in parts of this loop; None where the loop stays in one of them."""
        around = {scope.kind for scope in self.w.scopes[1:]}
        if not self.parallel or "function" in around or "loop" in around and not self.over_examples(stmt):
            return None
        if not is_work(stmt) or not self.ranges.not_negative(Dim.of(stmt.index)):
            return None
        if stmt.start != Const(0) and not all(-MOST <= n <= MOST for a in (stmt.start, stmt.stop) for n in self.ranges.interval(a)):
            return None  # their difference might overflow
        known = {name for scope in self.w.scopes for name in scope.names}
        if any(self.w.name(n) in known for n in all_bound(stmt.body)):
            return None  # the text has a name for two things
        return own_parts(stmt, before, self.runs.memory)

    def over_examples(self, stmt: For) -> bool:
        """Is it a loop over the examples of a batch, or the mirror of one?"""
        if self.examples is None:
            self.examples = {s.origin.mirrored() for s in walk(self.fun.body) if isinstance(s, For) and s.origin and s.origin.remark}
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
        KernelText(self, run.kernel, run.stores, run.clears, run.dead).write()
        for stmt in (*run.aliases, *([run.kernel] if run.kernel else [])):
            if stmt is not run.kernel:
                self.let(stmt)
            self.now_bound(stmt)

    def hint(self, loop: For) -> None:
        """Tell the compiler that an index is not negative where it does not see it: it then leaves out the wrapping."""
        plain = loop.step == Const(1) and isinstance(loop.start, Const)
        if not plain and self.ranges.not_negative(Dim.of(loop.index)) and self.indexes(loop):
            self.w.line(f"rs.natural({self.w.name(loop.index)})")

    def indexes(self, loop: For) -> bool:
        """Is the index of a loop one of an array's?"""
        return any(loop.index in (stmt.atoms if isinstance(stmt, Store) else stmt.args[1:]) for stmt in walk(loop.body)
                   if isinstance(stmt, Store) or isinstance(stmt, Let) and stmt.op.name == "getitem")

    def branch(self, stmt: If) -> None:
        with self.w.indented(f"if {self.w.atom(stmt.test)}:", "branch"), self.knowing():
            self.ranges.learn(stmt.test, True)
            self.block(stmt.then)
            self.copies(stmt.names, stmt.then.results)
        if stmt.orelse.stmts or stmt.names:
            with self.w.indented("else:", "branch"), self.knowing():
                self.ranges.learn(stmt.test, False)
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
        return Pull(self.w, self.scalars, lets, self)

    def let(self, let: Let) -> None:
        name, op = (let.names or ("",))[0], let.op.name
        t = self.fun.types[name] if name else None
        if isinstance(let.op, Kernel):
            KernelText(self, let).write()
        elif isinstance(let.op, Host):
            write_host(self, let)
        elif isinstance(let.op, Routine):
            write_call(self, let)
        elif op in CALLS:
            CALLS[op](self, let)
        elif t.kind != "array":
            self.scalar(let, t)
        elif isinstance(let.op, Reduction):
            self.reduction(let)
        elif let.op.memory is SAME and self.w.type(let.args[0]).kind == "array":
            self.w.alias(name, let.args[0])
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
        if let.name in self.sums:
            a, b = (cast(o, t.dtype) for o in operands)
            self.w.line(f"{self.w.name(let.name)} = rs.{'radd' if let.op.name == 'add' else 'rsub'}({a}, {b})")
            return
        self.w.line(f"{self.w.name(let.name)} = {self.scalars.expression(let, operands, t)}")

    def element(self, let: Let) -> str:
        return f"{self.w.name(let.args[0])}[{self.places(let, let.args[0], let.param('index'), let.args[1:])}]"

    def places(self, stmt, array, index, atoms) -> str:
        """An index of ints only, wrapped and checked where it is not proved to be in range."""
        texts = []
        for axis, atom in enumerate(atoms):
            text = self.w.atom(atom)
            if not self.in_range(atom, self.w.type(array).dims[axis]):
                text = views.checked_index(self.w, text, axis, self.length(array, axis))
            texts.append(text)
        return ", ".join(texts) or "()"

    def length(self, array, axis: int) -> str:
        return self.pull([]).length(array, axis)

    def view(self, let: Let) -> None:
        """A real view: NumPy's own slicing, integers checked."""
        base, texts = self.w.name(let.args[0]), []
        axis = 0
        from ..rules.indexing import entries
        for code, own in entries(let.param("index"), let.args[1:]):
            if code == "i":
                text = self.w.atom(own[0])
                if not self.in_range(own[0], self.w.type(let.args[0]).dims[axis]):
                    text = views.checked_index(self.w, text, axis, self.length(let.args[0], axis))
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
        new_array(self.w, fresh, t, lengths, self.local(let.name) if fresh == name else None)
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
        self.store_part(stmt)

    def element_value(self, pull: Pull, stmt: Store, t: Type) -> str:
        value = self.w.type(stmt.value)
        if value.kind == "array" and value.rank:
            return cast(Operand(f"{self.w.atom(stmt.value)}[{', '.join(['0'] * value.rank)}]", value.scalar()), t.dtype)
        return cast(pull.operand(stmt.value, []), t.dtype)

    def store_part(self, stmt: Store) -> None:
        """x[index] = value: a loop over the part."""
        pull = self.pull([])
        part = Part(self, pull, stmt)
        if self.w.type(stmt.value).kind == "array":
            part.agree(stmt.value, pull)
        Group(pull, part.lengths, targets=[part.target(stmt.value)]).write()
