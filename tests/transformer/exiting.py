"""A function before and after its exits are restructured."""
import contextlib
import textwrap

import gast

from gradscribe.transformer.frontend.exits import expand_markers, structure_exits


def parse(text):
    (node,) = gast.parse(textwrap.dedent(text)).body
    return node


def check_structured(node):
    """No exits but the last return; every new node has a place."""
    assert isinstance(node.body[-1], gast.Return)

    def visit(stmts):
        assert stmts
        for stmt in stmts:
            assert not isinstance(stmt, (gast.Return, gast.Break, gast.Continue)), gast.unparse(node)
            assert not (isinstance(stmt, (gast.For, gast.While)) and stmt.orelse)
            if isinstance(stmt, gast.FunctionDef):
                continue
            for holder in [stmt, *getattr(stmt, "handlers", [])]:
                for name in ("body", "orelse", "finalbody"):
                    if getattr(holder, name, None):
                        visit(getattr(holder, name))

    if node.body[:-1]:
        visit(node.body[:-1])
    for n in gast.walk(node):
        if isinstance(n, (gast.expr, gast.stmt)):
            assert n.lineno and n.end_lineno, gast.dump(n)


def load(node, namespace):
    module = gast.fix_missing_locations(gast.Module(body=[node], type_ignores=[]))
    namespace = dict(namespace)
    exec(compile(gast.gast_to_ast(module), "<exits>", "exec"), namespace)
    return namespace[node.name]


def result_of(node, inputs):
    """(returned or raised, everything that happened on the way)."""
    trace = []

    def note(value):
        trace.append(value)
        if len(trace) > 2_000:
            raise RuntimeError("endless")
        return value

    fun = load(node, {"note": note, "nothing": contextlib.nullcontext})
    try:
        return ("returned", fun(*inputs)), trace
    except (ValueError, RuntimeError, UnboundLocalError) as error:
        return ("raised", type(error)), trace


def check_same(text, *inputs):
    node = parse(text)
    before = gast.dump(node)
    structured = structure_exits(node)
    assert gast.dump(node) == before, "the input was changed"
    check_structured(structured)
    assert gast.dump(structured) == gast.dump(structure_exits(node))
    for given in inputs:
        want, got = result_of(node, given), result_of(expand_markers(structured), given)
        assert got == want, f"{text}\n\n{gast.unparse(structured)}\n{given}"
