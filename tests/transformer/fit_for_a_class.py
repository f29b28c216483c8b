"""Fifteen rules that generated source keeps, so that a teacher can show it as it is.

A rule is a function of the text, its syntax tree and the user's function; it yields what breaks it.
"""
import ast
import inspect
import io
import re
import textwrap
import tokenize
from collections import Counter

import numpy as np

from gradscribe.transformer.readable.lines import ROOM, break_places

RULES = {}


def rule(function):
    RULES[function.__name__] = function
    return function


def broken_rules(text: str, fun) -> list[str]:
    tree = ast.parse(text)
    return [f"{name}: {found}" for name, check in RULES.items() for found in check(text, tree, fun)]


def users_names(fun) -> set[str]:
    """All names in the user's text, and in that of the functions and classes beside it that it may call."""
    beside = {name: x for name, x in vars(inspect.getmodule(fun)).items()
              if inspect.isfunction(x) or inspect.isclass(x)}
    found, todo = set(), [fun]
    while todo:
        try:
            new = set(re.findall(r"[A-Za-z_]\w*", inspect.getsource(todo.pop()))) - found
        except OSError:  # made by a library
            continue
        found |= new
        todo += [beside[name] for name in new & beside.keys()]
    return found


def comments_of(text: str) -> list[str]:
    return [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type == tokenize.COMMENT]


def names(tree, context) -> Counter:
    return Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, context))


# names ----------------------------------------------------------------------------------------------------------------
@rule
def what_has_no_name_is_called_after_what_it_is(text, tree, fun):
    own = users_names(fun)
    for name in names(tree, ast.Store):
        if re.fullmatch(r"(t|tmp)\d*(_(bar|dot|tape)\d*)*", name) and not {"t", "tmp"} & own:
            yield name


@rule
def names_have_no_traces_of_the_compiler(text, tree, fun):
    for name in names(tree, ast.Store):
        if "__" in name or name.startswith("_gs"):
            yield name


@rule
def no_function_is_hidden_by_a_variable(text, tree, fun):
    stored = names(tree, ast.Store)
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    yield from sorted(called & set(stored))


# stores ---------------------------------------------------------------------------------------------------------------
@rule
def what_is_assigned_is_read(text, tree, fun):
    read = names(tree, ast.Load)
    for function in [n for n in tree.body if isinstance(n, ast.FunctionDef)]:
        for stmt in ast.walk(function):
            targets = [t for t in getattr(stmt, "targets", ()) if isinstance(t, ast.Name)]
            yield from [t.id for t in targets if not read[t.id]]


@rule
def nothing_is_assigned_to_itself(text, tree, fun):
    for stmt in ast.walk(tree):
        if isinstance(stmt, ast.Assign) and ast.unparse(stmt.targets[0]) == ast.unparse(stmt.value):
            yield ast.unparse(stmt)


@rule
def numbers_are_counted_with_augmented_assignments(text, tree, fun):
    for line in text.split("\n"):
        if re.match(r" +(\w+) = \1 [-+*/] \d+(\.\d+)?$", line):
            yield line.strip()


# expressions ----------------------------------------------------------------------------------------------------------
@rule
def signs_are_not_doubled(text, tree, fun):
    if "complex" not in text:  # where a zero has signs of its own
        yield from [line.strip() for line in text.split("\n")
                    if re.search(r"[-+] -(?!\d+ \*)", line) and "#" not in line]


@rule
def one_is_not_taken_to_be_added(text, tree, fun):
    yield from [line.strip() for line in text.split("\n") if re.search(r"- (\d+) \+ \1\b(?!\.)", line)]


@rule
def ranges_begin_where_python_begins_them(text, tree, fun):
    yield from re.findall(r"range\(0, [^,]*\)|range\(.*, 1\):", ast.unparse(tree))  # comments show the user's lines


@rule
def constants_are_as_short_as_their_type_allows(text, tree, fun):
    for kind, number in re.findall(r"np\.(float32|float16)\((-?[\d.]+(?:e-?\d+)?)\)", text):
        if len(number) > len(str(getattr(np, kind)(number))):
            yield number


# lines ----------------------------------------------------------------------------------------------------------------
@rule
def lines_have_at_most_a_hundred_characters(text, tree, fun):
    for line in text.split("\n"):
        long = len(line) > max(100, len(line) - len(line.lstrip()) + ROOM)
        if long and any([place <= 100 for place, _ in break_places(line)]):  # a text may be all that it has
            yield line


@rule
def messages_do_not_fill_lines(text, tree, fun):
    yield from [m for m in re.findall(r"how='([^']*)'", text) if len(m) > 90 and not m.startswith("vmap")]


@rule
def imports_are_used(text, tree, fun):
    for stmt in tree.body:
        for alias in getattr(stmt, "names", ()):
            word = alias.asname or alias.name
            if not any(isinstance(n, ast.Name) and n.id == word.partition(".")[0] for n in ast.walk(tree)):
                yield word


# comments -------------------------------------------------------------------------------------------------------------
@rule
def each_comment_of_the_users_stands_there_once(text, tree, fun):
    there = " ".join(comments_of(text))
    for comment in comments_of(textwrap.dedent(inspect.getsource(fun))):
        if there.count(comment) != 1:
            yield f"{comment} ({there.count(comment)} times)"


@rule
def adjoints_are_announced_by_their_lines(text, tree, fun):
    first, lines = inspect.getsourcelines(inspect.getmodule(fun))[1], inspect.getsource(inspect.getmodule(fun))
    lines = lines.split("\n")
    for number, shown in re.findall(r"# adjoint of line (\d+): (.*)", text):
        shown = shown.removesuffix(" ...").partition("  #")[0]
        if int(number) <= len(lines) and shown not in lines[int(number) - 1] and first == 0:
            yield f"{number}: {shown}"
