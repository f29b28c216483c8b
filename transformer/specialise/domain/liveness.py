"""Which variables of the user's syntax tree are still read: what need not be joined.

>>> import gast
>>> body = gast.parse("t = x\\ny = t").body
>>> sorted(live_before(body, frozenset({"y"})))
['x']
"""
from __future__ import annotations

import functools

import gast

from ...frontend.exits import RESULT, flag_of
from ...frontend.trees import inner_blocks, nodes


@functools.lru_cache(4096)
def variables_read(node) -> frozenset[str]:
    """Names read anywhere in an expression, the bodies of nested functions included."""
    changed = {id(n.target) for n in nodes(node) if isinstance(n, gast.AugAssign)}
    return frozenset([n.id for n in nodes(node) if isinstance(n, gast.Name)
                      and (not isinstance(n.ctx, gast.Store) or id(n) in changed)])


@functools.lru_cache(4096)
def only_operands(node, name: str) -> bool:
    """Is a variable read as an operand of arithmetic alone, where an array does in each element what a number does?"""
    operands = {id(x) for n in nodes(node) if isinstance(n, gast.BinOp) and not isinstance(n.op, gast.MatMult)
                for x in (n.left, n.right)}
    return all([id(n) in operands for n in nodes(node)
                if isinstance(n, gast.Name) and n.id == name and not isinstance(n.ctx, gast.Store)])


def nested_functions(tree) -> list:
    """The functions inside a function, those inside of them included."""
    return [n for stmt in tree.body for n in nodes(stmt) if isinstance(n, (gast.FunctionDef, gast.Lambda))]


@functools.lru_cache(4096)
def variables_stored(target) -> frozenset[str]:
    return frozenset([n.id for n in nodes(target) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)])


def live_before(stmts, live: frozenset[str]) -> frozenset[str]:
    """Variables read from here on, given those that are live after these statements."""
    for stmt in reversed(stmts):
        live = _before(stmt, live)
    return live


def live_after_each(stmts, live: frozenset[str]) -> list[frozenset[str]]:
    """The same behind each of the statements."""
    after = [live]
    for stmt in reversed(stmts[1:]):
        after.append(_before(stmt, after[-1]))
    return after[::-1]


@functools.lru_cache(4096)  # the body of a loop is looked at for each loop around it, and each time that one is run
def _before(stmt, live: frozenset[str]) -> frozenset[str]:
    match stmt:
        case gast.Assign(targets=targets, value=value):
            killed = frozenset().union(*(variables_stored(t) for t in targets))
            return (live - killed) | variables_read(value) | frozenset().union(*(variables_read(t) for t in targets))
        case gast.AnnAssign(target=target, value=value):
            return (live - variables_stored(target)) | (variables_read(value) if value
                                                        else frozenset()) | variables_read(target)
        case gast.AugAssign(target=target, value=value):
            return live | variables_stored(target) | variables_read(target) | variables_read(value)
        case gast.If(test=test, body=body, orelse=orelse):
            return live_before(body, live) | live_before(orelse, live) | variables_read(test)
        case gast.While(test=test, body=body):
            return _loop(body, live | variables_read(test), frozenset()) | live | variables_read(test)
        case gast.For(target=target, iter=iterable, body=body):
            return _loop(body, live, variables_stored(target)) | live | variables_read(iterable)
        case gast.FunctionDef(name=name):
            return (live - {name}) | variables_read(stmt)
        case gast.Return(value=value):
            return variables_read(value) if value else frozenset()
    return live | variables_read(stmt)


def _loop(body, live: frozenset[str], targets: frozenset[str]) -> frozenset[str]:
    """Live at the header of a loop: a fixed point."""
    header = live
    while True:
        before = header | (live_before(body, header) - targets)
        if before == header:
            return header
        header = before


def live_at_header(loop, live: frozenset[str]) -> frozenset[str]:
    """Variables whose value at the header of an iteration is read, in it or later, or after the loop."""
    targets = variables_stored(loop.target) if isinstance(loop, gast.For) else frozenset()
    extra = variables_read(loop.test) if isinstance(loop, gast.While) else frozenset()
    return _loop(loop.body, live | extra, targets)


@functools.lru_cache(4096)
def set_on_leaving(loop) -> frozenset[str]:
    """Variables that a loop sets only where it is left: in each iteration they begin as what they were before the loop.

    >>> from ...frontend.exits import structure_exits
    >>> text = "def f(x):\\n  while x < 9:\\n    x = x + 1\\n    if x == 5:\\n      y = x\\n      break\\n  return y"
    >>> loop = structure_exits(gast.parse(text).body[0]).body[1]
    >>> sorted(set_on_leaving(loop))
    ['y']
    """
    flag, leaving, staying = flag_of(loop), set(), set()

    def collect(stmts, found, caught):
        leaves = any([raises_flag(stmt, flag) for stmt in stmts])
        for k, stmt in enumerate(stmts):
            into = leaving if leaves and not (caught and may_raise_behind(stmts[k:])) else found
            blocks = list(inner_blocks(stmt))
            below = {id(n) for holder, name in blocks for inner in getattr(holder, name) for n in nodes(inner)}
            into |= {name for n in nodes(stmt) if id(n) not in below for name in variables_bound_by(n)}
            for holder, name in blocks:
                collect(getattr(holder, name), into, caught or catches(holder, name))

    if flag is not None:
        collect(loop.body, staying, False)
    return frozenset([name for name in leaving - staying if name == RESULT or not name.startswith("_gs_")])  # no flags


def catches(holder, name: str) -> bool:
    """Is it a block of which exceptions are caught?"""
    return name == "body" and isinstance(holder, (gast.Try, gast.With))


def may_raise_behind(stmts) -> bool:
    """May an exception come between what the first statement binds and the end of them all?"""
    match stmts[0]:
        case gast.Assign(targets=[gast.Name()]) | gast.AugAssign(target=gast.Name()):  # binds nothing where it raises
            return not all(map(only_names, stmts[1:]))
    return True


def only_names(stmt) -> bool:
    """Does a statement give names to what has one, or to constants?  Then it raises nothing."""
    match stmt:
        case gast.Assign(targets=[gast.Name()], value=gast.Name() | gast.Constant()):
            return True
    return False


def raises_flag(stmt, flag: str) -> bool:
    match stmt:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Constant(value=True)):
            return name == flag
    return False


def variables_bound_by(node) -> list[str]:
    """The variables that a node itself binds or deletes."""
    if isinstance(node, gast.Name):
        return [] if isinstance(node.ctx, gast.Load) else [node.id]
    return [name for field in ("name", "rest") if isinstance(name := getattr(node, field, None), str)]
