"""Statements with blocks of their own: branches, loops, functions inside."""
import copy

from . import values

MARK = "    "


def indented(lines):
    return [MARK + line for line in lines]


class Nested:
    """What grows a block inside of a block."""

    def statement_under(self, depth):
        before = list(self.names)
        lines = self.grow(self.rng.choice([1, 1, 2]), depth + 1)
        self.names = before
        return lines

    def if_(self, depth):
        test = self("flag", 2) if self.rng.random() < 0.8 else self("any", 1)
        lines = [f"if {test.text}:", *indented(self.statement_under(depth))]
        if self.rng.random() < 0.25:
            lines += [f"elif {self('flag', 1).text}:", *indented(self.statement_under(depth))]
        if self.rng.random() < 0.6:
            lines += ["else:", *indented(self.statement_under(depth))]
        elif depth == 0 and self.rng.random() < 0.1 and self.node(f"not ({test.text})"):
            return [f"if {test.text if self.node(f'not ({test.text})').value else f'not ({test.text})'}:",
                    f"    return {self('any', 1).text}"]
        return lines

    def for_(self, depth):
        """A loop over anything."""
        roll = self.rng.random()
        item = self.rng.choice([c for c in "ijk" if c not in self.fixed])
        if roll < 0.35:
            over, target = self.fill(self.rng.choice(["range({small})", "range(len({seq}))", "range({array}.shape[0])",
                                                      "range({small}, {small})", "range({small}, -1, -1)",
                                                      "{range}"])), item
        elif roll < 0.5:
            over, target = self.fill("enumerate({iterable})" if self.rng.random() < 0.7
                                     else "enumerate({iterable}, start={small})"), f"{item}, {self.rng.choice('vq')}"
        elif roll < 0.62:
            over, target = self.fill(self.rng.choice(["zip({iterable}, {iterable})", "zip({array}, {list})",
                                                      "{dict}.items()"])), "p, q"
        elif roll < 0.75:
            over, target = self.fill(self.rng.choice(["{iterator}", "reversed({seq})", "map({function}, {iterable})",
                                                      "{object}", "{dict}.values()", "sorted({list})",
                                                      "list({iterable})"])), "v"
        else:
            over, target = self("iterable", 1), "v"
        if over is None:
            return None
        try:
            first = next(iter(copy.copy(over.value)))
        except Exception:
            return None
        bound = (dict(zip(target.replace(" ", "").split(","), first if "," in target else [first]))
                 if "," not in target or isinstance(first, tuple) else None)
        if bound is None:
            return None
        body = self.body(bound, depth)
        if not body:
            return None
        lines = [f"for {target} in {over.text}:", *indented(body)]
        if self.rng.random() < 0.12:
            lines += ["else:", *indented(self.statement_under(depth))]
        return lines

    def body(self, bound, depth):
        """The body of a loop, grown in its first iteration."""
        counters = [k for k in bound if k in "ijk"]
        self.loops += 1
        self.fixed |= set(counters)
        self.env.update(bound)
        self.env["__in_body"] = True
        before = list(self.names)
        self.names += [k for k in bound if k not in self.names]
        try:
            return self.loop_statements(depth)
        finally:
            self.loops -= 1
            self.fixed -= set(counters)
            self.names = before
            self.env.pop("__in_body", None)

    def loop_statements(self, depth):
        lines = []
        for _ in range(self.rng.choice([1, 1, 2, 2, 3])):
            if self.rng.random() < 0.12:
                lines += [f"if {self('flag', 1).text}:", f"    {self.rng.choice(['break', 'continue'])}"]
            else:
                lines += self.statement(depth + 1)
        return lines

    def while_(self, depth):
        counter = f"n{len(self.names)}"
        test = self("flag", 1).text if self.rng.random() < 0.5 else ""
        start = self.a_small(0) if self.rng.random() < 0.7 else str(self.n)
        self.fixed.add(counter)
        body = self.body({counter: 1}, depth)
        self.fixed.discard(counter)
        if not body:
            return None
        condition = f"{counter} > 0" + (f" and {test}" if test and ":=" not in test else "")
        lines = [f"{counter} = {start}", f"while {condition}:", f"    {counter} -= 1", *indented(body)]
        return lines + (["else:", *indented(self.statement_under(depth))] if self.rng.random() < 0.1 else [])

    def nested(self, depth):
        """A function inside, a closure."""
        name = f"h{len(self.names)}"
        own = self.choose(lambda x: isinstance(x, (int, float)) and not isinstance(x, bool))
        with self.binding({"u": 1.5}):
            value = self("num", 2)
        if value is None or ":=" in value.text:
            return None
        inside = [f"return {value.text}"]
        if own and own not in self.fixed and self.rng.random() < 0.4 and own not in value.text:
            inside = [f"nonlocal {own}", f"{own} = {own} + {values.a_float(self.rng, 0)}", *inside]
            return [f"def {name}(u):", *indented(inside)]
        return [f"def {name}(u, w={self('num', 0).text}):", f"    v = u * w", *indented(inside)]
