"""Tapes of lengths that only the run time knows are lists, where Python runs the source and no compiler reads it.

    x_tape = rt.tape(np.float64)                    x_tape = []
    while ...:                                      while ...:
        x_tape = rt.push_(x_tape, count, x)             x_tape.append(x)
        count = count + 1                               count = count + 1
    x_tape = rt.pop(x_tape, 0, (count,))     ->
    for k in range(count - 1, -1, -1):              for k in range(count - 1, -1, -1):
        x = x_tape[k]                                   x = x_tape[k]

Of arrays a list holds copies, and gives them back from its end: `s = s_tape.pop()` for `s_tape[position2:position]`.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from ..core import OWN, Const, Op
from ..rules.control import InPlace
from .code_tree import (Assign, Call, CodeTree, Effect, Stmt, Store, all_expressions, blocks_of, calls_of, names_of_all,
                        replace_names, walk_tree)
from .denest import memories


class Method(Op):
    """x.method(y)"""

    memory = OWN

    def __init__(self, name: str, effect: bool):
        super().__init__(name, None)
        self.effect = effect

    def show(self, args, params):
        return f"{args[0]}.{self.name}({', '.join(args[1:])})"


class EmptyList(Op):
    memory = OWN

    def show(self, args, params):
        return "[]"


EMPTY = EmptyList("[]", None)
APPEND, POP, COPY = Method("append", True), Method("pop", True), Method("copy", False)


@dataclass
class Tape:
    """The statements of one tape, under all names that it has."""

    names: set[str]
    block: list[Stmt]  # where it is made
    pushes: list[Assign] = field(default_factory=list)
    items: int = 0  # reads of one number
    parts: list[tuple[list[Stmt], Assign]] = field(default_factory=list)  # reads of an array, and their blocks
    others: int = 0  # any other use

    def call(self, name: str, tape_of: dict[str, Tape]) -> None:
        """It has this name, too."""
        self.others += tape_of.setdefault(name, self) is not self
        self.names.add(name)


def tapes_as_lists(tree: CodeTree) -> None:
    stmts = walk_tree(tree.body)
    tape_of = {s.targets[0]: Tape({s.targets[0]}, block) for block in tree.blocks() for s in block
               if type(s) is Assign and op_of(s) == "rt.tape"}
    if not tape_of:
        return
    made = [*tape_of]
    note_all(tree.body, tape_of)
    sources = sources_in(tree)
    found = [tape_of[name] for name in made if becomes_a_list(tree, tape_of[name], sources)]
    memory = memories(tree, stmts)
    stored = {memory(n) for s in stmts for n in memory_stored_by(s)}
    rewrite(tree, found, lambda name: memory(name) in stored)


def op_of(stmt: Assign) -> str:
    value = stmt.values[0] if len(stmt.values) == len(stmt.targets) == 1 else None
    return value.op.name if type(value) is Call else ""


def memory_stored_by(stmt: Stmt) -> list[str]:
    """The names whose memory a statement stores into."""
    pushed = [c.args[0] for e in all_expressions(stmt) for c in calls_of(e) if isinstance(c.op, InPlace)]
    return [stmt.target, *pushed] if type(stmt) is Store else pushed


def note_all(block: list[Stmt], tape_of: dict[str, Tape]) -> None:
    for stmt in block:
        note_use(stmt, block, tape_of)
        for inner in blocks_of(stmt):
            note_all(inner, tape_of)


def note_use(stmt: Stmt, block: list[Stmt], tape_of: dict[str, Tape]) -> None:
    """What a statement does with tapes, and which names they get by it."""
    for name in [n for n in names_of_all(all_expressions(stmt)) if n in tape_of]:
        tape = tape_of[name]
        match stmt:
            case Assign(targets=(_,), values=(Call(args=(str() as x, *_)),)) if x == name:
                note_call(stmt, block, tape, tape_of)
            case Assign() if len(stmt.targets) == len(stmt.values) and name in stmt.values:
                for target, value in zip(stmt.targets, stmt.values):
                    if value == name:
                        tape.call(target, tape_of)
            case _:
                tape.others += 1


def note_call(stmt: Assign, block: list[Stmt], tape: Tape, tape_of: dict[str, Tape]) -> None:
    """What is done with a tape by an operation of which it is the first operand."""
    (call,), (target,) = stmt.values, stmt.targets
    index = call.param("index")
    if call.op.name == "rt.push_":
        tape.pushes.append(stmt)
        tape.call(target, tape_of)
    elif call.op.name == "rt.pop" and len(call.args) == 3 and call.args[1] == Const(0):
        tape.call(target, tape_of)
    elif call.op.name == "getitem" and index == ("i",):
        tape.items += 1
    elif call.op.name == "getitem" and index == ("s110",):
        tape.parts.append((block, stmt))
    else:
        tape.others += 1


def becomes_a_list(tree: CodeTree, tape: Tape, sources) -> bool:
    """Is it pushed numbers that are read by their places, or arrays that are read from the last to the first?"""
    ranks = {tree.types[n].rank if type(n) is str else 0 for n in [s.values[0].args[2] for s in tape.pushes]}
    if tape.others or not tape.pushes or not all([counts_on(sources, tape, s.values[0].args[1]) for s in tape.pushes]):
        return False
    if ranks == {0}:
        return not tape.parts
    return 0 not in ranks and not tape.items and len(tape.parts) == 1 and goes_back(*tape.parts[0])


def sources_in(tree: CodeTree) -> dict[str, list[tuple]]:
    """{name: what is assigned to it as it is, and the block where}"""
    found: dict[str, list[tuple]] = {}
    for block in tree.blocks():
        for s in block:
            if type(s) is Assign and len(s.targets) == len(s.values):
                for target, value in zip(s.targets, s.values):
                    found.setdefault(target, []).append((value, block))
    return found


def counts_on(sources: dict[str, list[tuple]], tape: Tape, position) -> bool:
    """Is a position 0 where the tape is made, and never set back?"""
    names, new = {position}, [position]
    starts = []
    while new:
        for value, block in sources.get(new.pop(), ()):
            if isinstance(value, Const):
                starts.append((value, block))
            elif type(value) is str and value not in names:
                names.add(value)
                new.append(value)
    return len(starts) == 1 and starts[0][0] == Const(0) and starts[0][1] is tape.block


def goes_back(block: list[Stmt], read: Assign) -> bool:
    """Does the position, the end of what is read, become its start in each round of the block that reads it?"""
    _, start, end = read.values[0].args
    last = block[-1]
    return type(last) is Assign and len(last.targets) == len(last.values) and (end, start) in zip(last.targets,
                                                                                               last.values)


def rewrite(tree: CodeTree, tapes: list[Tape], is_stored) -> None:
    name_of = {n: min(tape.names, key=lambda n: (len(n), n)) for tape in tapes for n in tape.names}
    replace_names(tree.body, name_of)
    pushes = {id(s) for tape in tapes for s in tape.pushes}
    parts = {id(s) for tape in tapes for _, s in tape.parts}

    def visit(block: list[Stmt]) -> None:
        out: list[Stmt] = []
        for stmt in block:
            for inner in blocks_of(stmt):
                visit(inner)
            if id(stmt) in pushes:
                out.append(appended(stmt, tree, is_stored))
            elif id(stmt) in parts:
                name = stmt.values[0].args[0]
                out.append(Assign(stmt.targets, (Call(stmt.targets[0], POP, (name,)),), stmt.origin))
            elif type(stmt) is Assign and not name_of.keys().isdisjoint(stmt.targets):
                out += without_copies(stmt, name_of)
            else:
                out.append(stmt)
        block[:] = out

    visit(tree.body)


def appended(push: Assign, tree: CodeTree, is_stored) -> Effect:
    """x_tape.append(x); a copy of what is stored into."""
    name, _, value = push.values[0].args
    if type(value) is str and tree.types[value].rank and is_stored(value):
        value = Call(value, COPY, (value,))
    return Effect(Call("", APPEND, (name, value)), push.origin)


def without_copies(stmt: Assign, name_of: dict[str, str]) -> list[Stmt]:
    """What is left of a statement that makes a tape, or hands it on."""
    if op_of(stmt) == "rt.tape":
        name = name_of[stmt.targets[0]]
        return [Assign((name,), (Call(name, EMPTY, ()),), stmt.origin)]
    kept = [(t, v) for t, v in zip(stmt.targets, stmt.values) if t not in name_of]
    return [Assign(tuple([t for t, _ in kept]), tuple([v for _, v in kept]), stmt.origin)] if kept else []

