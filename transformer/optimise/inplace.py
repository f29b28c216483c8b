"""Stores come back: from pure core to Python with in-place arrays, the last pass on core.

    y = np.zeros((n,), np.float64)            y = np.zeros((n,), np.float64)
    y__1 = y                                  for i in range(0, n, 1):
    for i in range(0, n, 1):                      t = x[i]
        t = x[i]                                  y[i] = t
        y__2 = rt.update(y__1, t, np.s_[i])   return (y,)
        y__1 = y__2
    return (y__1,)

`inplace(fun, owned)` -> Fun.  In what it returns

- `Store` statements replace updates, `rt.push_` replaces `rt.push`; names of one buffer have become one
  name, so a name may be bound or stored into again and again;
- `carried` lists only what a loop really rebinds (`u, v = v, u`, scalars); an entry whose init has its
  own name (`y = y`) is bound already before the loop;
- a copy (`np.copy`) stands where NumPy needs one: of an array that is not ours (an argument that is not in
  `owned`, a broadcast) or that is still read, before a store; of a view that outlives a store into its base;
- parameters in `owned` are stored into themselves; those that `fun.writes` names end as its results.
  No other result shares memory with an argument or with another result.

How it is decided.  Every array name has a *value*: the places its memory may be (the statement that
allocated it, an argument, what a loop carries), each with the view it was last read through.  Two live
names that may share memory have a place in common.  An update becomes a store if we own all places of its
target and no name that is live after it shares one.  The walk is repeated until what it learns about
loops (which carried names share memory, which are really rebound, which views must be copied) is stable;
these decisions only grow.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..analyse.buffers import is_buffer, is_update, leases, shared, stored_carried
from ..analyse.liveness import liveness
from ..core import SAME, VIEW, Atom, Block, Builder, For, Fun, If, Let, Stmt, Store, While, rename, split_name, walk
from ..rules import OPS
from ..rules.control import Push
from ..rules.indexing import Update

READ_ONLY = "!"  # the place of a broadcast: nobody may store there

Value = frozenset  # of (place, name of the view it was read through, or None)


def inplace(fun: Fun, owned: frozenset[str] = frozenset()) -> Fun:
    learnt, facts = Learnt(wants=stored_carried(fun)), FixedFacts(fun)
    while True:
        before, nexts = learnt.decisions(), dict(learnt.nexts)
        out = Walk(facts, owned, learnt).run()
        if learnt.decisions() != before:
            learnt.nexts.clear()
        elif learnt.nexts == nexts:
            return out


class FixedFacts:
    """What is true of a function whatever the walk decides."""

    def __init__(self, fun: Fun):
        self.fun = fun
        self.buffers = {name for name, t in fun.types.items() if is_buffer(t)}
        self.live = liveness(fun, self.buffers.__contains__, at=lambda s: is_update(s) or isinstance(s, (For, While)))
        self.leases = leases(fun)
        lets = [s for s in walk(fun.body) if isinstance(s, Let)]
        self.base = {s.name: s.args[0] for s in lets if s.op.memory in (VIEW, SAME)}
        self.transposes = {s.name: s for s in lets if s.op.name == "np.transpose"}


@dataclass
class Learnt:
    """What one walk finds out for the next."""

    wants: set[str]  # carried names that must own their memory at the header of the loop
    copied: set[str] = field(default_factory=set)  # views that are copied when they are read
    rebound: set[str] = field(default_factory=set)  # carried arrays that a loop really rebinds
    group: dict[str, str] = field(default_factory=dict)  # carried names that may share memory: a representative
    nexts: dict[str, Value] = field(default_factory=dict)  # values of carried names at ends of bodies

    def decisions(self):
        return frozenset(self.wants), frozenset(self.copied), frozenset(self.rebound), frozenset(self.group.items())

    def place(self, c: str) -> str:
        while c in self.group:
            c = self.group[c]
        return c

    def merge(self, c: str, d: str) -> None:
        self.wants |= {c, d}
        c, d = sorted((self.place(c), self.place(d)))
        if c != d:
            self.group[d] = c


class Walk:
    """One walk over the function, which writes its result as it goes."""

    def __init__(self, facts: FixedFacts, owned: frozenset[str], learnt: Learnt):
        self.fun = fun = facts.fun
        self.learnt = learnt
        self.buffers, self.live, self.leases, self.base, self.transposes = (facts.buffers, facts.live, facts.leases,
                                                                            facts.base, facts.transposes)
        self.b = Builder(dict(fun.types))
        self.names: dict[str, Atom] = {}  # the name in the output
        self.words: dict[str, str] = {}  # temporaries that are stored into, and what has a name of its own then
        self.same: dict[str, str] = {}  # a name that is exactly this memory, or the name itself
        self.value: dict[str, Value] = {}
        self.at_place: dict[str, list[str]] = {}  # names with a place
        self.born: dict[str, tuple[str, ...]] = {}  # the loops around a place
        self.loops: tuple[str, ...] = ()
        self.written = {p: k for p, k in fun.writes.items() if p in owned}
        self.foreign = {READ_ONLY} | {p for p in fun.params if p not in owned}
        for p in fun.params:
            self.bind(p, Value({(p, None)}))

    def run(self) -> Fun:
        stmts = self.block(self.fun.body)
        results = self.results(stmts)  # which may copy some
        body = Block(tuple(stmts), results)
        made = {n for stmt in walk(body) if type(stmt) is Let for n in stmt.names}
        body = rename(body, {n: word for n, word in self.words.items() if n in made}, {})
        return Fun(self.fun.name, self.fun.params, body, self.b.types, self.fun.writes, self.fun.origin)

    # names, values, places ---------------------------------------------------------------------
    def buffer(self, atom: Atom) -> bool:
        return isinstance(atom, str) and atom in self.buffers

    def name(self, atom: Atom) -> Atom:
        return self.names.get(atom, atom) if isinstance(atom, str) else atom

    def places(self, atom: Atom) -> set[str]:
        return {place for place, _ in self.value[atom]} if self.buffer(atom) else set()

    def bind(self, name: str, value: Value | None = None, like: str | None = None) -> None:
        """A name with new memory, with the memory of a value, or one more name of `like`."""
        if not self.buffer(name):
            return
        if value is None:
            value = Value({(name, None)})
            self.born[name] = self.loops
        self.value[name] = value
        for place, _ in value:
            self.at_place.setdefault(place, []).append(name)
        self.same[name] = self.same[like] if like else name
        if like:
            self.names[name] = self.names.get(like, like)

    def copy(self, atom: Atom, out: list[Stmt], name: str | None = None, origin=None) -> str:
        """Append a copy; the name that it gets in the output."""
        name = name or self.b.fresh(atom, self.fun.types[atom])
        out.append(Let((name,), OPS["np.copy"], (self.name(atom),), (), origin))
        return name

    def views_of(self, name: str) -> set[str]:
        """The names that this one is a view of, and the views between."""
        found: set[str] = set()
        todo = [name]
        while todo:
            for _, via in self.value.get(todo.pop(), ()):
                if via and via not in found:
                    found |= {via, self.base[via]}
                    todo.append(self.base[via])
        return found

    def leased(self, name: str) -> set[str]:
        """The arrays from which this view is leased."""
        return {self.leases[n] for n in self.views_of(name) if n in self.leases}

    def sharing(self, name: str, live: frozenset[str], ignore=()) -> bool:
        """Does a live name share memory with this one?  Views that could be copied when read are noted."""
        places = self.places(name)
        above = self.views_of(name)
        candidates = {n for p in places for n in self.at_place[p]} & live
        found = False
        for other in sorted(candidates - self.leased(name) - set(ignore)):
            found = True
            vias = {via for place, via in self.value[other] if place in places}
            if None not in vias and not vias & (above | {name}):
                self.learnt.copied |= vias
        return found

    def ours(self, name: str) -> bool:
        return not self.places(name) & self.foreign

    # statements ----------------------------------------------------------------------------------
    def block(self, block: Block) -> list[Stmt]:
        out: list[Stmt] = []
        for stmt in block.stmts:
            if type(stmt) is Let:
                (self.update if isinstance(stmt.op, Update) else self.push if isinstance(stmt.op, Push)
                 else self.let)(stmt, out)
            elif type(stmt) is If:
                self.branch(stmt, out)
            else:
                self.loop(stmt, out)
        return out

    def let(self, let: Let, out: list[Stmt]) -> None:
        base = self.transposed_back(let)
        if base:
            self.bind(let.name, self.value[base] | self.value[let.args[0]], like=base)
            return
        args = tuple(map(self.name, let.args))
        new = let if args == let.args else Let(let.names, let.op, args, let.params, let.origin)
        if not self.learnt.copied.isdisjoint(let.names):
            view = self.b.fresh(let.name, self.fun.types[let.name])
            out.append(replace(new, names=(view,)))
            self.copy(view, out, let.name, let.origin)
            self.bind(let.name)
            return
        out.append(new)
        if not self.buffers.isdisjoint(let.names):
            self.bind_results(let)

    def bind_results(self, let: Let) -> None:
        """The names of a statement, by the memory that its results may share."""
        sources = [a for a in shared(let) if self.buffer(a)]
        places = ({p for a in sources for p in self.places(a)}
                  | ({READ_ONLY} if let.op.name == "np.broadcast_to" else set()))
        for name in let.names:
            via = name if let.op.memory in (VIEW, SAME) else None
            self.bind(name, Value((p, via) for p in places) or None)
        if sources and let.op.memory is SAME:
            self.same[let.name] = self.same[sources[0]]

    def update(self, let: Let, out: list[Stmt]) -> None:
        x, value, *atoms = let.args
        if self.written_back(x, value):
            self.bind(let.name, self.value[x], like=x)
            return
        value, *atoms = (self.apart(a, x, out) for a in (value, *atoms))
        self.take(let, out)
        target = self.name(let.name)
        if split_name(target)[0] == "t" != split_name(let.name)[0]:
            self.words.setdefault(target, let.name)
        out.append(Store(target, let.param("index"), tuple(atoms), value, let.op.add, let.origin,
                         bool(let.param("distinct"))))

    def written_back(self, x: str, value: Atom) -> bool:
        """Is this value, in place, the part of x that the update would overwrite?"""
        return (self.buffer(value) and self.leases.get(self.same[value]) == x
                and self.same[value] not in self.learnt.copied)

    def transposed_back(self, let: Let) -> str | None:
        """The array itself, for the transpose of its transpose (`t = x.T`, stores into t, `x2 = t.T`)."""
        if let.op.name != "np.transpose":
            return None
        there = self.transposes.get(self.same[let.args[0]])
        if there is None or there.name in self.learnt.copied:
            return None
        back = tuple(there.param("axes")[k] for k in let.param("axes"))
        return there.args[0] if back == tuple(range(len(back))) else None

    def push(self, let: Let, out: list[Stmt]) -> None:
        tape, *args = let.args
        args = [args[0], self.apart(args[1], tape, out)]
        self.take(let, out)
        name = self.name(let.name)
        out.append(replace(let, names=(name,), op=let.op.in_place, args=(name, *args)))

    def take(self, let: Let, out: list[Stmt]) -> None:
        """Bind the result of an update to its target, in place if that is allowed; else to a copy."""
        x = let.args[0]
        blocked = self.sharing(x, self.live.after(let), ignore=let.names)
        if blocked or not self.ours(x):
            self.copy(x, out, let.name, let.origin)
            self.bind(let.name)
        else:
            self.bind(let.name, self.value[x], like=x)

    def apart(self, atom: Atom, x: str, out: list[Stmt]) -> Atom:
        """The output's atom for a value, copied if it may share memory with x (`x[1:] = x[:-1]`)."""
        return self.copy(atom, out) if self.places(atom) & self.places(x) else self.name(atom)

    def branch(self, stmt: If, out: list[Stmt]) -> None:
        then, orelse = self.block(stmt.then), self.block(stmt.orelse)
        kept = []
        for k, (name, x, y) in enumerate(zip(stmt.names, stmt.then.results, stmt.orelse.results)):
            if self.buffer(name) and self.name(x) == self.name(y):
                self.bind(name, self.value[x] | self.value[y], like=x)
            else:
                kept.append(k)
                self.bind(name, self.value[x] | self.value[y] if self.buffer(name) else None)
        sides = [Block(tuple(stmts), tuple(self.name(side.results[k]) for k in kept))
                 for stmts, side in ((then, stmt.then), (orelse, stmt.orelse))]
        out.append(replace(stmt, test=self.name(stmt.test), names=tuple(stmt.names[k] for k in kept),
                           then=sides[0], orelse=sides[1]))

    # loops --------------------------------------------------------------------------------------
    def loop(self, stmt: For | While, out: list[Stmt]) -> None:
        inits = self.headers(stmt, out)
        outer, self.loops = self.loops, self.loops + (_key(stmt),)
        body = self.block(stmt.body)
        nexts = self.ends(stmt, body)
        self.loops = outer
        kept = [k for k, c in enumerate(stmt.carried) if not self.buffer(c) or c in self.learnt.rebound]
        new = dict(carried=tuple(stmt.carried[k] for k in kept), inits=tuple(inits[k] for k in kept),
                   body=Block(tuple(body), tuple(nexts[k] for k in kept)))
        if isinstance(stmt, For):
            new |= dict(start=self.name(stmt.start), stop=self.name(stmt.stop), step=self.name(stmt.step))
        out.append(replace(stmt, **new))

    def headers(self, stmt: For | While, out: list[Stmt]) -> list[Atom]:
        """Bind the carried names; the output's atoms for their inits."""
        own = set(stmt.carried)
        busy = self.live.around(stmt) | (self.live.after(stmt) - own)
        inits, copied = [], set()
        for k, (c, init) in enumerate(zip(stmt.carried, stmt.inits)):
            if not self.buffer(c):
                inits.append(self.name(init))
                continue
            place = self.learnt.place(c)
            self.born.setdefault(place, self.loops + (_key(stmt),))
            if c in self.learnt.wants:
                rivals = {a for j, (a, d) in enumerate(zip(stmt.inits, stmt.carried))
                          if j != k and self.buffer(a) and d not in copied and self.learnt.place(d) != place}
                if init in rivals or self.sharing(init, busy | rivals) or not self.ours(init):
                    copied.add(c)
                    inits.append(self.copy(init, out, c, stmt.origin))
                    self.bind(c, Value({(place, None)}))
                    continue
                value = Value({(place, None)}) | (self.value[init] if self.leased(init) else set())
            else:
                value = self.value[init] | self.learnt.nexts.get(c, Value())
            inits.append(self.name(init))
            self.bind(c, value, like=None if c in self.learnt.rebound else init)
        return inits

    def ends(self, stmt: For | While, out: list[Stmt]) -> list[Atom]:
        """The output's atoms for the next values of carried names."""
        nexts = list(map(self.name, stmt.body.results))
        pairs = [(k, c, r) for k, (c, r) in enumerate(zip(stmt.carried, stmt.body.results)) if self.buffer(c)]
        apart = set()
        for k, c, r in pairs:
            if c in self.learnt.wants and (self.sharing(r, self.live.around(stmt)) or not self.ours(r)):
                nexts[k] = self.copy(r, out, origin=stmt.origin)
                apart.add(c)
            if nexts[k] != self.name(c):
                self.learnt.rebound.add(c)
            if c not in self.learnt.wants:
                old = Value((self.aged(p, stmt), via) for p, via in self.value[r])
                self.learnt.nexts[c] = self.learnt.nexts.get(c, Value()) | old
        self.merge_sharing([(c, r) for _, c, r in pairs if c not in apart])
        return nexts

    def merge_sharing(self, pairs: list[tuple[str, Atom]]) -> None:
        """Carried names whose next values may share memory get one place."""
        for c, r in pairs:
            for d, s in pairs:
                if c in self.learnt.wants and c != d and self.places(r) & self.places(s):
                    self.learnt.merge(c, d)

    def aged(self, place: str, stmt: For | While) -> str:
        """The place in later iterations, where the statement that allocates it allocates another one."""
        site, *loops = place.split("@")
        if _key(stmt) not in self.born.get(site, ()):
            return place
        return "@".join([site, *sorted({*loops, _key(stmt)})])

    # results -------------------------------------------------------------------------------------
    def results(self, out: list[Stmt]) -> tuple[Atom, ...]:
        """The results, written parameters first: they must end in their own memory,
        all others in memory of their own."""
        results = self.fun.body.results
        names = list(map(self.name, results))
        written = {k: p for p, k in self.written.items()}
        astray = {k for k, p in written.items() if self.same.get(results[k]) != p}
        kept, carried = self.foreign | set(self.written), carried_names(self.fun)
        for k in sorted(range(len(results)), key=lambda k: k not in written):
            if not self.buffer(results[k]):
                continue
            own_place = k in written and k not in astray
            places = self.places(results[k])  # a parameter's memory may be among what loops carry
            if not own_place and (places & kept or astray and any(p.split("@")[0] in carried for p in places)):
                names[k] = self.copy(results[k], out, origin=self.fun.origin)
            elif k not in astray:  # of which the caller does not see the memory
                kept |= places
        for k in sorted(astray):
            p = written[k]
            out.append(Store(p, (":",) * self.fun.types[p].rank, (), names[k], False, self.fun.origin))
            names[k] = p
        return tuple(names)


def carried_names(fun: Fun) -> set[str]:
    return {c for s in walk(fun.body) if isinstance(s, (For, While)) for c in s.carried}


def _key(stmt: For | While) -> str:
    return stmt.index if isinstance(stmt, For) else stmt.test
