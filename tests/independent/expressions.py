"""Expressions, by templates, tried by Python as they are written.

A `Node` is a text and the value that it has in the sample run. A template is a text with holes; what a hole is filled
with is drawn by its name: a kind of value (`{num}`, `{array}`), or one of the writers below and in calls.py (`{item}`,
`{call}`). What does not evaluate, or grows too large, is drawn again. Nothing needs to know what an operator makes of
its operands: Python says so.
"""
import ast
import contextlib
import signal

import numpy as np

from . import values
from .templates import GROUPS, HOLE, TEMPLATES, WORDS, has_items


class Node:
    """An expression and its value in the sample run."""

    def __init__(self, text, value):
        self.text, self.value = text, value


def atomic(text):
    """May it stand beside an operator as it is?"""
    tree = ast.parse(text, mode="eval").body
    return (isinstance(tree, (ast.Name, ast.Call, ast.Subscript, ast.Attribute, ast.List, ast.Tuple, ast.Dict,
                              ast.ListComp, ast.DictComp, ast.JoinedStr))
            or isinstance(tree, ast.Constant) and not text.isdigit())


def too_large(x, depth=0):
    if isinstance(x, int):
        return abs(x) > 2**80
    if isinstance(x, (str, list, tuple, dict, range)):
        if len(x) > 24 or depth > 5 or isinstance(x, (str, range)):
            return len(x) > 24 or depth > 5
        items = x.values() if isinstance(x, dict) else tuple.__iter__(x) if isinstance(x, tuple) else x
        return any(too_large(i, depth + 1) for i in items)
    return isinstance(x, np.ndarray) and (x.size > 200 or x.dtype.kind not in "fiub" or x.ndim > 4)


class Expressions:
    """What can be written with the names in sight."""

    def __init__(self, rng, env, n=3):
        self.rng, self.env, self.n = rng, env, n
        self.names = []                          # in sight, and holding data
        self.fresh = 0
        self.reckless = False                    # may what raises be taken?

    # ---- trying

    def node(self, text):
        try:
            with limited(0.3):
                value = eval(text, self.env)
        except RecursionError:
            return None
        except Exception:
            return Node(text, None) if self.reckless and text.isprintable() else None
        return None if too_large(value) else Node(text, value)

    @contextlib.contextmanager
    def binding(self, names):
        """For what stands in a comprehension, a lambda or a method."""
        before, shadowed = list(self.names), {k: self.env[k] for k in names if k in self.env}
        self.env.update(names)
        self.names += names
        try:
            yield
        finally:
            self.names = before
            for k in names:
                self.env.pop(k, None)
            self.env.update(shadowed)

    # ---- drawing

    def __call__(self, group, depth=2):
        """A node of the group."""
        fits = GROUPS[group]
        for _ in range(6):
            leaf = (depth <= 0 or self.rng.random() < 0.3) and (group != "flag" or self.rng.random() < 0.15)
            node = self.leaf(group, fits) if leaf else self.grown(group, depth)
            if node is not None and fits(node.value):
                return node
        return self.leaf(group, fits) or self.node(self.literal(group))

    def leaf(self, group, fits):
        if "self" in self.names and group in ("num", "float", "any") and self.rng.random() < 0.6:
            text = self.rng.choice(["self", "self", "self", "other"]) + "." + self.rng.choice("aab")
            return self.node(text)
        names = [n for n in self.names if n in self.env and fits(self.env[n])]
        if names and (self.rng.random() < 0.82 or group in ("object", "iterator")):
            name = self.rng.choice(names[-4:] if self.rng.random() < 0.5 else names)
            return Node(name, self.env[name])
        return self.node(self.literal(group))

    def literal(self, group):
        rng = self.rng
        if group in ("num", "some", "any"):
            return values.a_number(rng, 0.06) if rng.random() < 0.93 else values.a_scalar(rng)
        if group in ("int", "integer"):
            return values.an_int(rng, 0.04)
        if group == "float":
            return values.a_float(rng)
        if group == "flag":
            return rng.choice(["True", "False"])
        if group == "array":
            return values.an_array(rng, rng.choice(values.DTYPES),
                                   rng.choice([(self.n,), (self.n,), (2,), (2, self.n)]))
        return {"str": rng.choice(WORDS["word"]), "dict": "{'a': 1.5, 'b': 2}",
                "tuple": "(1.0, 2)", "range": f"range({self.n})", "object": "None",
                "iterator": "iter([1.5, 2.0])"}.get(group, "[1.0, 2.5, -1.0]")

    def grown(self, group, depth):
        templates, weights = TEMPLATES[group]
        return self.fill(self.rng.choices(templates, weights)[0], depth)

    def fill(self, template, depth=2):
        """The template with its holes filled, or None."""
        careful = "**" in template or "<<" in template
        single = HOLE.fullmatch(template)

        def filled(match):
            if match[1] is None:
                return match[0][0]
            text = self.hole(match[1], depth - 1)
            if text is None:
                raise Unfit
            if match[1] not in GROUPS or single:
                return text
            keep = (careful or ":=" in text or "lambda" in text or self.rng.random() > 0.25
                    or group_is_sequence(match[1]))
            return f"({text})" if keep and not atomic(text) else text

        try:
            text = HOLE.sub(filled, template)
        except Unfit:
            return None
        if careful and not single:
            text = f"({text})"
        return self.node(text)

    def hole(self, name, depth):
        """The text for one hole, or None."""
        if name in GROUPS:
            node = self(name, depth)
            return node and node.text
        if name in WORDS:
            return self.rng.choice(WORDS[name])
        return getattr(self, "a_" + name)(depth)

    # ---- holes that look at values

    def a_small(self, depth):
        names = [n for n in self.names if type(self.env.get(n)) is int and 0 <= self.env[n] <= 4]
        return (self.rng.choice(names) if names and self.rng.random() < 0.4
                else str(self.rng.choice([0, 1, 2, 2, 3, self.n])))

    def a_int_literal(self, depth):
        return values.an_int(self.rng, 0.0)

    def a_name(self, depth):
        self.fresh += 1
        return f"w{self.fresh}"

    def a_slice(self, depth):
        bound = lambda: self.rng.choice(["", "", "1", "2", "-1", "0", str(self.n), "-2", "10", self.a_small(0)])
        step = self.rng.choice(["", "", "", ":2", ":-1", ":-2"])
        return f"{bound()}:{bound()}{step}"

    def a_position(self, length):
        """An index into something of that length: right mostly."""
        names = [n for n in self.names if type(self.env.get(n)) is int and -length <= self.env[n] < length]
        if names and self.rng.random() < 0.5:
            return self.rng.choice(names)
        return str(self.rng.randrange(-length, length) if length and self.rng.random() < 0.97
                   else self.rng.choice([0, length, -1]))

    def a_item(self, depth):
        """An item of a container or of an array."""
        names = [n for n in self.names if has_items(self.env.get(n))]
        if not names:
            return None
        name = self.rng.choice(names)
        for _ in range(3):
            node = self.node(name)
            index = node and self.an_index(node.value)
            found = index is not None and self.node(f"{name}[{index}]")
            if not found:
                return None
            name = found.text
            if (not (isinstance(found.value, (list, tuple, dict)) and len(found.value))
                    and not (isinstance(found.value, np.ndarray) and found.value.ndim)):
                break
        return name

    def an_index(self, x):
        if isinstance(x, dict):
            return repr(self.rng.choice(list(x))) if len(x) else None
        if isinstance(x, np.ndarray) and x.ndim > 1 and self.rng.random() < 0.7:
            return ", ".join(self.a_position(k) for k in x.shape)
        try:
            return self.a_position(len(x))
        except TypeError:
            return self.a_position(self.n)

    def a_array_index(self, depth):
        """Any basic or advanced index."""
        rng = self.rng
        one = lambda: rng.choice([self.a_position(self.n), self.a_slice(0), self.a_slice(0), "...", "None", ":"])
        roll = rng.random()
        if roll < 0.55:
            return one()
        if roll < 0.85:
            return f"{one()}, {one()}"
        if roll < 0.93:
            return rng.choice(["[0, 1]", "[1, 0, -1]", "np.array([0, 1, 0])", "[]", "([0, 1], [1, 0])",
                               "[[0, 1], [1, 0]]", "True"])
        node = self("array", 0)
        return node.text if node and node.value.dtype.kind in "iub" else f"{self('array', 0).text} > 0"

    def a_comprehension(self, depth):
        """The inside of [...]: the variable is its own, whatever it is called outside."""
        over = self("iterable", 1)
        try:
            first = next(iter(over.value))
        except Exception:
            return None
        variable = self.rng.choice(["v", "v", "k"] + [n for n in self.names if n.isidentifier()][:1])
        if isinstance(first, tuple) and len(first) == 2 and self.rng.random() < 0.7:
            target, bound = "p, q", dict(zip("pq", first))
        else:
            target, bound = variable, {variable: first}
        with self.binding(bound):
            item = self(self.rng.choice(["num", "num", "num", "any", "tuple"]), depth)
            test = self("flag", 1).text if self.rng.random() < 0.25 else ""
            inner = f" for z in {self('range', 0).text}" if self.rng.random() < 0.12 else ""
        if ":=" in item.text + test:
            return None
        wrapped = over.text if atomic(over.text) else f"({over.text})"
        return (f"{item.text if not item.text.startswith('*') else 0} for {target} in {wrapped}"
                f"{' if ' + test if test else ''}{inner}")


@contextlib.contextmanager
def limited(seconds):
    """TimeoutError after so long: `for v in a: a.append(v)` has no end."""
    def out(*_):
        raise TimeoutError
    before = signal.signal(signal.SIGALRM, out)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Unfit(Exception):
    """A hole could not be filled."""


def group_is_sequence(group):
    return group in ("list", "tuple", "seq", "str", "range", "dict", "any", "iterable")
