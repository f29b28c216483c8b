"""What a person writes instead: np.zeros_like(x), len(x), for v in xs; and nothing that NumPy checks anyway."""
from __future__ import annotations

import re
from collections import Counter

import numpy as np

from ..core import OWN, UNNAMED, Const, Op, split_name
from ..rules.kinds import Elementwise
from .code_tree import (AND, OR, Assign, Call, CodeTree, Expr, For, If, Return, Stmt, Store, blocks_of, calls_of,
                        expressions, names_bound_by, names_of, names_of_all, replace_names, replaced_names, walk_tree)
from .conditions import COMPARISONS
from .flow import LivenessFlow, bind_counts, use_counts
from .hints import has_role, is_temporary, is_the_users, stem

ROLES = ("_bar", "_dot")


def name_temporaries(tree: CodeTree) -> None:
    """Decide which names read `t`.  Core calls `t` whatever has no name of the user's; where the user has a `t`,
    such names become `tmp`.  The first of several results is `value`.
    A name that is nothing but another (no operation) is the user's: it is assigned, or carried round a loop."""
    stmts = walk_tree(tree.body)
    pairs = assigned_pairs(stmts)
    params = () if tree.inner else tree.params
    unnamed = {n for n in tree.types if split_name(n)[0] == "t" and n not in params}
    temporaries = sorted(unnamed.intersection([n for n, v in pairs if type(v) is Call]))
    own = [n for n in tree.types if tree.hint(n) == "t" and n not in unnamed]
    if own:
        tree.hints.update((n, "tmp") for n in temporaries)
    rename_non_adjoints(tree, stmts, "tmp" if own else "t")
    name_by_copies(tree, stmts, pairs)
    name_underscores(tree, stmts)
    match tree.body[-1]:
        case Return(values=(str() as first, _, *_)) if not tree.inner and first in temporaries:
            tree.hints[first] = "value"


def assigned_pairs(stmts: list[Stmt]) -> list[tuple[str, Expr]]:
    """(target, value) of the assignments; of several targets of one call the first."""
    return [pair for s in stmts if type(s) is Assign for pair in zip(s.targets, s.values)]


def name_by_copies(tree: CodeTree, stmts: list[Stmt], pairs: list[tuple[str, Expr]]) -> None:
    """A temporary is called like the variable that it becomes, but a value of the user's function like no adjoint."""
    forward = {n for s in stmts if not getattr(s.origin, "adjoint", True) for n in names_bound_by(s)}
    for target, value in pairs:
        if (type(value) is str and is_temporary(tree.hint(value)) and not is_the_users(value)
                and (is_the_users(target) or not is_temporary(tree.hint(target).removesuffix("_tape")))
                and not (value in forward and has_role(tree.hint(target)))):
            tree.hints[value] = tree.hint(target)


def name_underscores(tree: CodeTree, stmts: list[Stmt]) -> None:
    """What the user calls `_` has a name where its value is read: the rounds of a loop that is left early, which its
    mirror runs again."""
    used, rounds = use_counts(stmts), {s.index for s in stmts if type(s) is For}
    found = [n for n in tree.types if re.fullmatch(r"_|__(bar|dot|tape).*", tree.hint(n)) and used[n]
             and n not in rounds]
    taken = {tree.hint(n) for n in tree.types} if found else ()
    for name in found:
        words = ("count", "rounds") if tree.types[name].dtype.kind == "i" else ("rest", "other")
        tree.hints[name] = next((w for w in words if w not in taken), "item") + tree.hint(name)[1:]


def rename_non_adjoints(tree: CodeTree, stmts: list[Stmt], temporary: str) -> None:
    """What has another type than its variable, and is computed of no adjoint or tangent, is a temporary: `W.T`,
    `y == z`."""
    types: dict[str, set] = {}
    for n, t in tree.types.items():
        types.setdefault(tree.hint(n), set()).add(t)
    for stmt in [s for s in stmts if type(s) is Assign]:
        for name, value in zip(stmt.targets, stmt.values):
            if type(value) is Call and tree.hint(name).endswith(ROLES) and not names_itself(tree, stmt):
                if is_of_another(tree, name, value, types):
                    tree.hints[name] = temporary


def is_of_another(tree: CodeTree, name: str, value: Call, types: dict[str, set]) -> bool:
    """Is what is computed no adjoint or tangent of the variable that the name says?"""
    hint = tree.hint(name)
    role = hint[-4:]
    if any([role in tree.hint(n) for n in names_of(value)]):
        return False
    # of values without a name each is another
    known = types.get(hint.removesuffix(role), ()) if role == "_bar" and not UNNAMED.match(name) else ()
    return is_no_adjoint(value.op) or bool(known) and tree.types[name] not in known


def names_itself(tree: CodeTree, stmt: Assign) -> bool:
    """Does the user's text have the name that a statement binds, as in `x_bar = np.mean(x)`?"""
    hint, origin = tree.hint(stmt.targets[0]), stmt.origin
    return (not getattr(origin, "adjoint", True) and hint in origin.text
            and re.search(rf"\b{hint}\b", origin.text) is not None)


def is_no_adjoint(op: Op) -> bool:
    return op.name == "np.transpose" or op.symbol in COMPARISONS


def forward_checks(tree: CodeTree) -> None:
    """Checks that the user's operation itself repeats give only another name."""
    checked = checked_again(tree)
    if not checked:
        return
    stmts = walk_tree(tree.body)
    bound, same = bind_counts(tree, stmts), {}

    def source(name: str) -> str:
        while name in same:
            name = same[name]
        return name

    for stmt in stmts:
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op, args=(str() as x, *_)),)) if (op.name == "rt.match"
                                                                                           and name in checked):
                if bound[name] == 1 and bound[source(x)] == 1:
                    same[name] = source(x)
                else:
                    stmt.values = (x,)
    replace_names(tree.body, {n: source(n) for n in same})
    _drop_bound(tree.body, set(same))


def checked_again(tree: CodeTree) -> set[str]:
    """Arrays whose lengths NumPy checks anyway: in the operation of the user's that the check was made for."""
    checks: dict[str, Assign] = {}
    found = set()
    stmts = walk_tree(tree.body)
    if not computes(stmts, "rt.match"):
        return found
    for stmt in stmts:
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op),)) if op.name == "rt.match":
                checks[name] = stmt
            case _ if not checks:
                continue
            case Assign(targets=(view,), values=(Call(op=op, args=(str() as n,)),)) if (op.name == "np.transpose"
                                                                                        and n in checks):
                checks[view] = checks[n]
                continue
            case Assign(targets=(result,), values=(Call() as call,)) if not has_role(tree.hint(result)):
                found |= checked_by(tree, call, checks, stmt.origin)
            case Store(value=str() as n) if n in checks and checks[n].origin == stmt.origin:
                found.add(n)
        if type(stmt) is not Store:
            for n in names_of_all(expressions(stmt)):
                checks.pop(n, None)  # only the first reader counts
    return found


def computes(stmts: list[Stmt], name: str) -> bool:
    """Does an assignment compute an operation of this name?"""
    return any([type(v) is Call and v.op.name == name for _, v in assigned_pairs(stmts)])


def checked_by(tree: CodeTree, call: Call, checks: dict[str, Assign], origin) -> set[str]:
    """Those of the arrays checked for an operation of this origin whose lengths the operation checks too."""
    op = call.op
    if not (isinstance(op, Elementwise) or op.symbol == "@" or op.name == "getitem"):
        return set()
    names = [n for n in call.args[op.index_at or 0:] if isinstance(n, str)]
    return {checks[n].targets[0] for n in names if n in checks and is_made_for(checks[n], op, origin)
            and not asks_more(tree, op, checks[n])
            and any(faces(tree, checks[n], m) or op.symbol == "@" for m in names if m != n)}


def is_made_for(check: Assign, op: Op, origin) -> bool:
    """Is a check that of an operation?  That of a product which has become one of matrices says what the user wrote."""
    return check.origin == origin and (op.symbol != "@" or op.name in check.values[0].param("how"))


def asks_more(tree: CodeTree, op, check: Assign) -> bool:
    """Is a length asked to be 1, or to be that of a mask?  Operations take a longer one, which stretches the other
    operand, and np.where stretches what an index may not be."""
    if op.name != "getitem" and check.values[0].param("kind") != "ValueError":
        return True
    return any(tree.types[check.targets[0]].dims[k].is_one for k in check.values[0].param("axes"))


def faces(tree: CodeTree, check: Assign, other: str) -> bool:
    """Has another operand the lengths, of its own, that the check needs?"""
    (call,) = check.values
    t, o = tree.types[check.targets[0]], tree.types[other]
    return all(o.rank >= t.rank - k and o.dims[k - t.rank] == t.dims[k] for k in call.param("axes"))


def _drop_bound(block: list[Stmt], names: set[str]) -> None:
    for stmt in block:
        for inner in blocks_of(stmt):
            _drop_bound(inner, names)
    block[:] = [s for s in block if type(s) is not Assign or names.isdisjoint(s.targets)]


ZEROS_LIKE = Op("np.zeros_like", np.zeros_like)
ZEROS_LIKE.memory = OWN


def zeros_like(tree: CodeTree) -> bool:
    """x_bar = np.zeros((n, m)) is np.zeros_like(x), where x is at hand and has that type.  Was there any?"""
    stmts = walk_tree(tree.body)
    if not computes(stmts, "np.zeros"):
        return False
    bound, found = bind_counts(tree, stmts), []
    by_hint: dict[str, list[str]] = {}
    for name in tree.types:
        by_hint.setdefault(tree.hint(name), []).append(name)

    def note(stmt, names, live):
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op) as call,)) if op.name == "np.zeros" and call.args:
                at_hand = [c for c in by_hint.get(stem(tree.hint(name)), ())
                           if c in live or c in tree.params and bound[c] == 1]
                like = sorted((c for c in at_hand if tree.types[c] == tree.types[name]), key=lambda c: c not in live)
                if like and has_role(tree.hint(name)):
                    stmt.values = (Call(call.name, ZEROS_LIKE, (like[0],)),)
                    found.append(stmt)

    LivenessFlow(note).function(tree)
    return bool(found)


def inline_integers(tree: CodeTree) -> bool:
    """Lengths and sums of integers are written where they are read: len(x), i - 1.  Was there any?"""
    stmts = walk_tree(tree.body)
    bound = bind_counts(tree, stmts)
    short = short_integers(tree, stmts, bound)
    if not short:
        return False
    # arrays that have been copied: their lengths are those of the copy, which the user calls the same
    latest: dict[str, str] = {}
    written, start = short, 0
    for k, stmt in enumerate(tree.body, 1):
        match stmt:
            case Assign(targets=(y,), values=(Call(op=op, args=(str() as x,)),)) if (op.name == "np.copy"
                                                                                     and bound[y] == 1):
                if tree.hint(y) == tree.hint(x):
                    replace_names(tree.body[start:k], written)
                    latest[x] = y
                    written, start = {n: replaced_names(e, latest) for n, e in short.items()}, k
    replace_names(tree.body[start:], written)
    _drop_bound(tree.body, set(short))
    return True


def short_integers(tree: CodeTree, stmts: list[Stmt], bound: Counter) -> dict[str, Expr]:
    """{a name of an integer: the expression to write for it}"""
    used = use_counts(stmts)
    short: dict[str, Expr] = {}
    for stmt in stmts:
        match stmt:
            case Assign(targets=(name,), values=(Call(op=op) as call,)) if (op.name == "rt.size"
                                                                            or op.symbol in ("+", "-", "*")):
                t = tree.types[name]
                if (t.kind != "py" or t.dtype.kind != "i" or bound[name] != 1
                        or any([bound[n] != 1 for n in call.names])):
                    continue
                new = without_zero(replaced_names(call, short))
                if used[name] <= 2 if op.name == "rt.size" else is_temporary(name) and len(calls_of(new)) <= 2:
                    short[name] = new
    return short


def without_zero(call: Call) -> Expr:
    """n of n - 1 + 1."""
    match call:
        case Call(op=op, args=(Call(op=inner, args=(x, Const(value=a))), Const(value=b))) if (
                {op.symbol, inner.symbol} == {"+", "-"} and a == b):
            return x
    return call


def over_elements(tree: CodeTree) -> bool:
    """`for i in range(len(xs)): v = xs[i]` is `for v in xs` where the user had it so; else `i` is a name of ours.
    Was there any?"""
    stmts = walk_tree(tree.body)
    loops = [s for s in stmts if type(s) is For]
    if not loops:
        return False
    bound, used = bind_counts(tree, stmts), use_counts(stmts)
    return any([put_over_elements(tree, loop, bound, used) for loop in loops])


def put_over_elements(tree: CodeTree, stmt: For, bound: Counter, used: Counter) -> bool:
    """Put one loop over the elements if that is certain, or name its index.  Is it over elements now?"""
    match stmt:
        case For(index=i) if tree.hint(i) == "_" and used[i]:
            tree.hints[i] = "i"
        case For(index=i, bounds=(start, stop, step),
                 body=[Assign(targets=(v,), values=(Call(args=(xs, at)) as item,)), *_]):
            if not (item.op.name == "getitem" and at == i and item.param("index")[0] == "i"
                    and elementwise_loop(tree, stmt, v)):
                return False
            if is_temporary(v) and tree.hint(i) != "i":
                tree.hints[v] = tree.hint(i)
            if (start == Const(0) and step == Const(1) and is_length(tree, stop, xs) and used[i] == 1
                    and bound[xs] == bound[v] == 1):
                stmt.index, stmt.bounds, stmt.body = v, (xs,), stmt.body[1:]
                return True
            tree.hints[i] = "i"
    return False


def is_length(tree: CodeTree, stop, xs: str) -> bool:
    if isinstance(stop, Const):
        return tree.types[xs].dims[0].constant == stop.value
    return isinstance(stop, Call) and stop.op.name == "rt.size" and stop.args == (xs,) and stop.param("axis") == 0


def elementwise_loop(tree: CodeTree, stmt: For, element: str) -> bool:
    """Did the user write a loop over elements, or one with an exit, which became one over numbers?"""
    (call,) = stmt.body[0].values
    if tree.hint(call.args[0]).endswith("_tape"):
        return False
    text = getattr(stmt.origin, "first_text", "range(")
    if text.startswith("while"):
        return False
    left = stmt.index.startswith("_gs_at") and not getattr(stmt.origin, "adjoint", False)
    return left or tree.hint(stmt.index) == tree.hint(element) or not re.search(r"\b(range|enumerate)\(", text)


def boolean_operators(tree: CodeTree) -> bool:
    """`if a: t = b` / `else: t = False` is `t = a and b`; `if a: t = True` / `else: t = b` is `t = a or b`.
    Was there any?"""
    found, stmts = False, walk_tree(tree.body)
    used = use_counts(stmts)
    truths = Counter(x for s in stmts if isinstance(s, (If, Store))
                     if isinstance(x := s.test if isinstance(s, If) else s.value, str))
    for block in tree.blocks():
        for k, stmt in enumerate(block):
            match stmt:
                case If(test=test, then=[Assign(targets=(t,), values=(x,))],
                        orelse=[Assign(targets=(u,), values=(y,))]) if (t == u and is_bool_array(tree, t)
                        and (same_class(tree, test, t) or used[t] == truths[t])):
                    made = and_or(t, test, x, y)
                    if made:
                        block[k], found = Assign((t,), (made,), stmt.origin), True
    return found


def and_or(name: str, test: Expr, x: Expr, y: Expr) -> Call | None:
    """`x if test else y` as one of Python's operators."""
    if is_truth(y, False, test) and not isinstance(x, Const):
        return Call(name, AND, (test, x))
    if is_truth(x, True, test) and not isinstance(y, Const):
        return Call(name, OR, (test, y))
    return None


def same_class(tree: CodeTree, test: Expr, name: str) -> bool:
    """Is the test, which `and` and `or` may give, Python's bool or NumPy's, as the variable is?"""
    of = tree.types.get(test.name if isinstance(test, Call) else test)
    return of is not None and of.kind == tree.types[name].kind


def is_truth(expr: Expr, value: bool, test: Expr) -> bool:
    """Is it this bool, or the test, which is?"""
    if isinstance(expr, Call) and expr.op.name in ("rt.astype", "bool"):
        expr = expr.args[0]
    return (expr == test or isinstance(expr, Const) and isinstance(expr.value, (bool, np.bool_))
            and bool(expr.value) == value)


def is_bool_array(tree: CodeTree, name: str) -> bool:
    return tree.types[name].dtype.kind == "b" and tree.types[name].rank == 0
