"""Which constructs a program contains: counted on its syntax tree, so that the generator cannot flatter itself."""

import ast
import time
from collections import Counter

import numpy as np

from . import numeric

STATEMENTS = {ast.For: "for", ast.While: "while", ast.If: "if", ast.Break: "break", ast.Continue: "continue",
              ast.Return: "return", ast.AugAssign: "augmented", ast.IfExp: "conditional expression",
              ast.BoolOp: "and / or", ast.Lambda: "lambda", ast.MatMult: "@", ast.Not: "not", ast.Mod: "%",
              ast.Pow: "**", ast.FloorDiv: "//", ast.USub: "unary minus"}


def constructs(source: str) -> set[str]:
    tree = ast.parse(source)
    found = set()
    for node in ast.walk(tree):
        found |= {STATEMENTS[type(node)]} if type(node) in STATEMENTS else set()
        for kind, describe in DESCRIBE.items():
            if isinstance(node, kind):
                found |= set(describe(node))
    for function in [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]:
        found |= set(about_function(function))
    return found


def about_function(function):
    returns = [n for n in ast.walk(function) if isinstance(n, ast.Return)]
    if len(returns) > 1:
        yield "early return"
    yield f"loops nested {max((nesting(n) for n in function.body), default=0)} deep"
    if any(isinstance(n, ast.FunctionDef) for n in function.body):
        yield "nested def"
    if function.name.startswith("h"):
        yield "helper function"
    if function.args.defaults:
        yield "default argument"


def nesting(node):
    inner = max((nesting(child) for child in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, (ast.For, ast.While))


def about_for(node):
    text = ast.unparse(node.iter)
    if text.startswith("range("):
        yield "for range"
        yield from ["negative step"] if text.endswith((" -1)", "-2)")) else []
    else:
        over = "a tuple" if text[0] == "(" else text.split("(")[0] if "(" in text else "an array"
        yield f"for over {over}"


def about_assign(node):
    target = node.targets[0]
    if len(node.targets) > 1:
        yield "chained assignment"
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        swapped = sorted(map(ast.unparse, target.elts)) == sorted(map(ast.unparse, node.value.elts))
        yield "swap" if swapped else "several at once"
    elif isinstance(target, ast.Tuple):
        yield "unpacking"
    if isinstance(target, ast.Subscript):
        yield from about_store(target)
    if isinstance(target, ast.Name) and isinstance(node.value, ast.Name):
        yield "alias"
    if (isinstance(target, ast.Name) and isinstance(node.value, (ast.Subscript, ast.Attribute))
            and ":" in ast.unparse(node.value)):
        yield "view bound to a name"


def about_store(target):
    text = ast.unparse(target)
    yield "slice store" if ":" in text.split("[", 1)[1] else "element or row store"
    yield from ["store through .T"] if ".T[" in text else []
    yield from ["store at an index array"] if "[[" in text or "[idx]" in text or "[p" in text else []


def about_subscript(node):
    text = ast.unparse(node.slice)
    yield from ["newaxis"] if "None" in text or "newaxis" in text else []
    yield from ["slice"] if ":" in text else []
    yield from ["slice, negative step"] if "::-" in text or ":0:-" in text else []
    yield from ["index, negative"] if text.startswith("-") and ":" not in text else []
    yield from ["index array"] if text.startswith("[") or text == "idx" or text[0] == "p" else []


def about_call(node):
    match node.func:
        case ast.Attribute(value=ast.Name(id="np"), attr=name):
            yield f"np.{name}"
        case ast.Attribute(attr=name):
            yield f".{name}()"
        case ast.Name(id=name):
            yield "helper call" if name[0] == "h" else "local function call" if name[0] == "g" else f"{name}()"
    for keyword in node.keywords:
        yield f"{keyword.arg}=" if keyword.arg in ("axis", "keepdims", "dtype") else "keyword argument"


def about_compare(node):
    yield "chained comparison" if len(node.ops) > 1 else "comparison"


def about_if(node):
    if node.orelse:
        yield "elif" if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) else "else"


def about_augmented(node):
    if isinstance(node.target, ast.Subscript):
        yield "augmented store"
        yield from about_store(node.target)


DESCRIBE = {ast.For: about_for, ast.Assign: about_assign, ast.Subscript: about_subscript, ast.Call: about_call,
            ast.Compare: about_compare, ast.If: about_if, ast.AugAssign: about_augmented}


def table(cases) -> str:
    """Share of programs with each construct, most frequent first."""
    counts, total, lines = Counter(), 0, []
    for case in cases:
        counts.update(constructs(case.source) | {f"({note})" for note in case.notes})
        lines.append(len([line for line in case.source.splitlines() if line.strip()]))
        total += 1
    lines.sort()
    head = (f"{total} programs; "
            f"lines: median {lines[total // 2]}, 5 % below {lines[total // 20]}, 5 % above {lines[-1 - total // 20]}")
    return "\n".join([head, *(f"{count / total:7.1%}  {name}" for name, count in counts.most_common())])


def survey(cases) -> str:
    """How well programs behave under plain NumPy: do they run, stay finite, have a slope that differences can find?"""
    counts, seconds, began = Counter(), Counter(), time.perf_counter()
    for case in cases:
        seconds["generating"] += time.perf_counter() - began
        began = time.perf_counter()
        function = plain(case.source)
        first = numeric.run(function, case.args)
        seconds["running"] += time.perf_counter() - began
        counts["programs"] += 1
        counts[f"{'raise ' + type(first.error).__name__ if first.error else 'run'}"] += 1
        counts["run at the second arguments"] += all(numeric.run(function, args).error is None for args in case.more)
        if first.error is None:
            counts.update(steadiness(case, first))
        began = time.perf_counter()
    lines = [f"{count:7d} {count / counts['programs']:7.1%}  {name}" for name, count in counts.most_common()]
    return "\n".join(lines
                     + [f"{1000 * s / counts['programs']:.2f} ms a program {name}" for name, s in seconds.items()])


def steadiness(case, first):
    if not numeric.finite(first.out):
        return ["not finite"]
    direction = numeric.tangents(case.args, np.random.default_rng(case.seed))
    found = numeric.slope(plain(case.source.replace("np.float32", "np.float64")), case.args, direction)
    tags = ["slope sure everywhere" if found.sure.all() else "slope sure somewhere" if found.sure.any()
            else "slope unsure"]
    tags += ["slope sharp (1e-8) everywhere"] if (found.error <= 1e-8 * (1 + np.abs(found.value))).all() else []
    tags += ["no output element"] if not found.value.size else ["derivative is zero"] if not found.value.any() else []
    return tags + (["derivative above 1e3"] if found.value.size and np.abs(found.value).max() > 1e3 else [])


def plain(source):
    names = {}
    exec(compile(source, "<program>", "exec"), names)
    return names["f"]
