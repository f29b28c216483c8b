"""What the passes on the user's tree share: new nodes from Python text, a walk over blocks of statements, and what
leaves a block.

    with suppress(KeyError):            the return leaves the with statement; what follows is reached all the same,
        return d[k]                     where the context ends an exception (`unless_swallowed`: where none does)
"""
from __future__ import annotations

from typing import Callable, Iterator

import gast

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
Stmts = list[gast.stmt]


ATOMS = {str, int, float, complex, bool, bytes, type(None), type(...)}


def children(node: gast.AST) -> list[gast.AST]:
    """The nodes right below a node, but for those that have no parts: operators, and what a name is used for."""
    found, own = [], vars(node)
    for field in node._fields:
        part = own.get(field)
        if type(part) is list:
            found += [x for x in part if type(x) not in ATOMS and (x._fields or isinstance(x, gast.stmt))]
        elif type(part) not in ATOMS and part._fields:
            found.append(part)
    return found


def nodes(tree: gast.AST) -> list[gast.AST]:
    """A node and all that is below it, in the order of gast.walk; without operators, see `children`."""
    found = [tree]
    for node in found:
        found += children(node)
    return found


def lines_of_paths(tree: gast.AST, name: str, before: int) -> list[int]:
    """The lines in which the last `if` before a line assigns a variable on its paths; of one that does so on one path,
    also the line before it that did."""
    def stores(stmts):
        return sorted({n.lineno for stmt in stmts for n in nodes(stmt) if isinstance(n, gast.Name) and n.id == name
                       and isinstance(n.ctx, gast.Store) and getattr(n, "lineno", None)})

    ifs = [n for n in nodes(tree) if isinstance(n, gast.If) and n.lineno < before and stores(n.body + n.orelse)]
    if not ifs:
        return []
    last = max(ifs, key=lambda n: n.lineno)
    while around := [n for n in ifs if n.orelse == [last]]:  # of which it is an elif
        last = around[0]
    earlier = [line for line in stores([tree]) if line < last.lineno]
    one_sided = not (stores(last.body) and stores(last.orelse))
    return [*earlier[-1:] * one_sided, *stores([last])]


def copied(tree):
    """A copy of a tree, or of a list of trees."""
    if isinstance(tree, list):
        return [copied(t) if isinstance(t, (gast.AST, list)) else t for t in tree]
    if not tree._fields:
        return tree  # an operator, or what a name is used for: it has nothing that a pass could change
    new = type(tree).__new__(type(tree))
    own = vars(new)
    for name, x in vars(tree).items():
        own[name] = copied(x) if isinstance(x, (gast.AST, list)) else x
    return new


def quote(text: str, like: gast.AST, **parts) -> Stmts:
    """The statements of `text`, placed where `like` stands, with names replaced by parts.

    A part is another name, an expression, or statements, for a name that is a statement of its own:

        quote("if not flag: rest", like=stmt, flag="_gs_stop_1", rest=[stmt, ...])
    """
    tree = gast.parse(text)
    for node in nodes(tree):
        gast.copy_location(node, like)
    return _Fill(parts).visit(tree).body


def expression(text: str, like: gast.AST, **parts) -> gast.expr:
    """As `quote`, for one expression."""
    (stmt,) = quote(text, like, **parts)
    return stmt.value


class _Fill(gast.NodeTransformer):
    def __init__(self, parts):
        self.parts = parts

    def visit_Expr(self, node):
        match node.value:
            case gast.Name(id=name) if isinstance(self.parts.get(name), list):
                return self.parts[name]
        return self.generic_visit(node)

    def visit_Name(self, node):
        part = self.parts.get(node.id, node)
        if isinstance(part, str):
            node.id = part
            return node
        return part


def inner_blocks(stmt: gast.stmt) -> Iterator[tuple[gast.AST, str]]:
    """(holder, field) of each block of statements inside a statement of the same scope, in the order of the text."""
    if isinstance(stmt, SCOPES):
        return
    if getattr(stmt, "body", None):
        yield stmt, "body"
    for holder in [*getattr(stmt, "handlers", []), *getattr(stmt, "cases", [])]:
        yield holder, "body"
    for name in ("orelse", "finalbody"):
        if getattr(stmt, name, None):
            yield stmt, name


def map_blocks(stmt: gast.stmt, change: Callable[[Stmts], Stmts]) -> gast.stmt:
    """Change each block inside a statement, in place."""
    for holder, name in inner_blocks(stmt):
        setattr(holder, name, change(getattr(holder, name)))
    return stmt


# what leaves a block: `return`, `break` and `continue`, and what is never reached ---------------------
def escapes(stmt: gast.stmt) -> set[str]:
    """Which of return, break, continue may leave a statement."""
    match stmt:
        case gast.Return():
            return {"return"}
        case gast.Break():
            return {"break"}
        case gast.Continue():
            return {"continue"}
        case gast.For() | gast.While():
            return ways_out(stmt.body) & {"return"} | ways_out(stmt.orelse)
    return set().union(*(ways_out(getattr(holder, name)) for holder, name in inner_blocks(stmt)))


def ways_out(stmts: Stmts) -> set[str]:
    return set().union(*map(escapes, stmts))


def returns_in(stmts: Stmts) -> list[gast.Return]:
    """The return statements of this function, those of nested functions apart."""
    found = [s for s in stmts if isinstance(s, gast.Return)]
    return found + [r for s in stmts for holder, name in inner_blocks(s) for r in returns_in(getattr(holder, name))]


def revoked(stmts: Stmts) -> set[str]:
    """Which of them an exception may follow that a finally block or a context manager raises on the way out."""
    found = set()
    for stmt in stmts:
        if isinstance(stmt, gast.With) or getattr(stmt, "finalbody", []):
            found |= escapes(stmt)
        else:
            inside = set().union(*(revoked(getattr(holder, name)) for holder, name in inner_blocks(stmt)))
            found |= inside & {"return"} if isinstance(stmt, (gast.For, gast.While)) else inside
    return found


def never_falls(stmt: gast.stmt, unless_swallowed: bool = False) -> bool:
    """Does control never reach what follows?  `unless_swallowed`: where no context manager ends an exception."""
    match stmt:
        case gast.Return() | gast.Break() | gast.Continue() | gast.Raise():
            return True
        case gast.If(body=body, orelse=orelse):
            return ends_block(body, unless_swallowed) and ends_block(orelse, unless_swallowed)
        case gast.With(body=body):
            return unless_swallowed and ends_block(body, unless_swallowed)
        case gast.Try(body=body, handlers=handlers, orelse=orelse):
            return (ends_block(body + orelse, unless_swallowed)
                    and all(ends_block(h.body, unless_swallowed) for h in handlers))
        case gast.While(test=gast.Constant(value=value), body=body) if value:
            return "break" not in ways_out(body)
    return False


def ends_block(stmts: Stmts, unless_swallowed: bool = False) -> bool:
    return any([never_falls(stmt, unless_swallowed) for stmt in stmts])


def alive(stmts: Stmts) -> Stmts:
    """Without what is never reached."""
    for count, stmt in enumerate(stmts, 1):
        if never_falls(stmt):
            return stmts[:count]
    return stmts


def is_terse(stmts: Stmts) -> bool:
    """Written twice rather than guarded by a flag."""
    match stmts:
        case [gast.Return()]:
            return sum(isinstance(n, gast.expr) for n in nodes(stmts[0])) <= 6
        case [gast.Break() | gast.Continue()]:
            return True
    return False
