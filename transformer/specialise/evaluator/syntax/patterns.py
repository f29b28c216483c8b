"""Patterns of a match statement: what is known of a subject is decided now; a comparison of values of the run time is a
test of the program.

    match point:                        _gs_subject_1 = point
        case (0, y):                    if <point is a sequence of two> and point[0] == 0:
            ...                             y = point[1]; ...
"""
from __future__ import annotations

import gast

from ....frontend.desugar import Case, captures
from ...domain import values as v
from ..names.tables import call_value, evaluate, evaluates
from ..objects.attributes import attribute
from ..objects.containers import is_dict, python_of
from ..objects.iteration import END, caught, length
from ..objects.truths import FALSE, TRUE, both_true, either_true, truth
from .indexing import get_at
from .operators import compare_values, identical
from .statements import bind

SEQUENCE, MAPPING, ITSELF = 1 << 5, 1 << 6, 1 << 22  # flags of classes, as CPython keeps them


@evaluates(Case)
def case(s, node):
    """Does a pattern fit?  What it captures waits under names of ours until it has; where a guard reads it, it is bound
    before."""
    tests, found = [], {}
    match_pattern(s, node.pattern, evaluate(s, node.subject), tests, found)
    result = all_tests(s, tests)
    frame = s.frames[-1]
    for name in captures(node.pattern):
        kept = f"{node.subject.id}_{name}"
        frame.locals |= {kept}
        s.heap[frame, kept] = found.get(name, v.Static(None))
    if node.guarded and found and result != FALSE:
        if result != TRUE:
            s.fail("a guard that reads what its pattern captures, where only the run time knows whether that fits",
                   "Write the guard as an if in the block of the case.")
        for name, value in found.items():
            bind(s, gast.Name(name, gast.Store(), None, None), value)
    return result


def all_tests(s, tests):
    """All tests, one after the other, until one fails."""
    if not tests:
        return TRUE
    first, *rest = tests
    return both_true(s, first(), lambda: all_tests(s, rest)) if rest else truth(s, first())


class Misfit(Exception):
    """The subject cannot fit, whatever its values are."""


def match_pattern(s, pattern, subject, tests: list, found: dict) -> None:
    """Add to the tests what the run decides, and to what is found what is captured."""
    try:
        match_part(s, pattern, subject, tests, found)
    except Misfit:
        tests.append(lambda: FALSE)


def match_part(s, pattern, subject, tests, found) -> None:
    match pattern:
        case gast.MatchValue(value=value):
            tests.append(lambda: compare_values(s, "equal", subject, evaluate(s, value)))
        case gast.MatchSingleton(value=value):
            tests.append(lambda: identical(s, subject, v.Static(value)))
        case gast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                match_part(s, inner, subject, tests, found)
            if name is not None:
                found[name] = subject
        case gast.MatchOr(patterns=patterns):
            one_of(s, patterns, subject, tests, found)
        case gast.MatchSequence(patterns=patterns):
            items(s, patterns, known_subject(s, subject), tests, found)
        case gast.MatchMapping():
            mapping_entries(s, pattern, known_subject(s, subject), tests, found)
        case gast.MatchClass():
            class_pattern(s, pattern, subject, tests, found)


def known_subject(s, subject):
    if isinstance(subject, v.OneOf):
        s.fail("a pattern for a value that is another on each path", "Write if / elif / else.")
    return subject


def one_of(s, patterns, subject, tests, found) -> None:
    """One pattern or another: the first that fits captures."""
    def from_(k):
        mine: dict = {}
        own: list = []
        match_pattern(s, patterns[k], subject, own, mine)
        result = all_tests(s, own)
        if mine and result not in (TRUE, FALSE):
            s.fail("a pattern with alternatives that captures, where only the run time knows which of them fits",
                   "Write a case for each.")
        if result == TRUE:
            found.update(mine)
        return either_true(s, result, lambda: from_(k + 1)) if k + 1 < len(patterns) else result

    if any([captures(p) for p in patterns]):
        result = from_(0)
        tests.append(lambda: result)
    else:
        tests.append(lambda: from_(0))


def items(s, patterns, subject, tests, found) -> None:
    if not s.class_of(subject).__flags__ & SEQUENCE:
        raise Misfit
    n = s.static(length(s, subject), "a pattern says how many items there are")
    star = next((k for k, p in enumerate(patterns) if isinstance(p, gast.MatchStar)), None)
    if n != len(patterns) if star is None else n < len(patterns) - 1:
        raise Misfit
    at = lambda k: get_at(s, subject, v.Static(k))  # noqa: E731
    for k, p in enumerate(patterns):
        if star is None or k < star:
            match_part(s, p, at(k), tests, found)
        elif k > star:
            match_part(s, p, at(n - len(patterns) + k), tests, found)
        elif p.name is not None:
            found[p.name] = s.box([at(i) for i in range(k, n - len(patterns) + k + 1)])


def mapping_entries(s, pattern, subject, tests, found) -> None:
    if not s.class_of(subject).__flags__ & MAPPING:
        raise Misfit
    if not is_dict(subject):
        s.fail(f"a pattern with keys for {s.describe(subject)}", "Make a dict of it first.")
    wanted = [s.static(evaluate(s, key), "it is a key") for key in pattern.keys]
    have = dict(zip(s.keys(subject), s.items(subject)))
    if any([key not in have for key in wanted]):
        raise Misfit
    for key, p in zip(wanted, pattern.patterns):
        match_part(s, p, s.item(have[key]), tests, found)
    if pattern.rest is not None:
        rest = {k: x for k, x in have.items() if k not in wanted}
        found[pattern.rest] = s.box(rest.values(), dict, rest.keys(), "dict")


def class_pattern(s, pattern, subject, tests, found) -> None:
    cls = evaluate(s, pattern.cls)
    is_one = call_value(s, v.Static(isinstance), [subject, cls], {})
    if is_one == FALSE:
        raise Misfit
    tests.append(lambda: is_one)
    names = list(pattern.kwd_attrs)
    parts = [*pattern.patterns, *pattern.kwd_patterns]
    if pattern.patterns:
        if cls.value.__flags__ & ITSELF and not hasattr(cls.value, "__match_args__"):
            if len(pattern.patterns) > 1:
                s.stop("TypeError", f"{cls.value.__name__}() accepts 1 positional sub-pattern "
                                    f"({len(pattern.patterns)} given)")
            match_part(s, parts.pop(0), subject, tests, found)
        else:
            names = [*positional_attributes(s, cls.value, len(pattern.patterns)), *names]
    for name, p in zip(names, parts):
        value = caught(s, AttributeError, lambda: attribute(s, subject, name))
        if value is END:
            raise Misfit
        match_part(s, p, value, tests, found)


def positional_attributes(s, cls: type, count: int) -> list:
    """The attributes that positional patterns of a class are for."""
    if not hasattr(cls, "__match_args__"):
        s.stop("TypeError", f"{cls.__name__}() accepts 0 positional sub-patterns ({count} given)")
    names = python_of(s, attribute(s, v.Static(cls), "__match_args__"))
    if len(names) < count:
        s.stop("TypeError", f"{cls.__name__}() accepts {len(names)} positional sub-pattern"
                            f"{'s' * (len(names) != 1)} ({count} given)")
    return [*names[:count]]
