"""Exits: the result does what the function did, on written and on random functions."""
import os
import random

import pytest

from tests.transformer.exiting import check_same

# what it does ------------------------------------------------------------------------------
PROGRAMS = """
def f(a, b):
    for i in range(a):
        for j in range(b):
            if i * j > 6:
                return i, j
            if j > i:
                break
        else:
            note("whole")
            continue
        note(i)
    return note(-1)
---
def f(a, b):
    while a > 0:
        a -= 1
        if a == 3:
            for k in [1, 2]:
                if k == b:
                    return "found"
                note(k)
            else:
                if b > 2:
                    break
            if b == 0:
                continue
        note(a)
    else:
        note("done")
        if b == 1:
            return 1
    note("end")
---
def f(a, b):
    if a > 2:
        if b > 2:
            return 1
        note("x")
    elif a == 0:
        for i in range(b):
            if i == 2:
                return note(2)
    note("y")
    if b == 0:
        return
    note("z")
---
def f(a, b):
    i = 0
    while True:
        i += 1
        if i % 2:
            if i == a:
                continue
            note("odd")
        if i > b:
            if i > a:
                return i
            note("not yet")
        try:
            if i == 4:
                break
            if i == 3:
                raise ValueError
        except ValueError:
            note("caught")
            if b == 3:
                return 7
        else:
            note("else")
        finally:
            note("finally")
        with nothing():
            if i == 2:
                continue
            note("with")
        note("last")
    return -i
---
def f(a, b):
    for i in range(5):
        if i == a:
            if b == 1:
                continue
            elif b == 2:
                break
            elif b == 3:
                return i
        note(i)
    note(i)
    return i
---
def f(a, b):
    while note(a) < b:
        a += 1
        if a == 2:
            break
    for i in note([a, b]):
        return i
---
def f(a, b):
    if a:
        raise ValueError
    else:
        return b
---
def f(a, b):
    for i in range(a):
        pass
    else:
        for j in range(b):
            if j == 1:
                break
            if j == i:
                return j
        else:
            return i
        note("both")
    return 9
""".split("---")


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("text", PROGRAMS)
def test_same_as_before(text):
    check_same(text, *((a, b) for a in range(6) for b in range(6)))


class Generator:
    """Random functions that are mostly ways out."""

    def __init__(self, seed):
        self.random, self.names, self.size = random.Random(seed), 0, 0

    def function(self):
        return "def f(a, b):\n" + self.block(4, loop=False, indent=1, top=True)

    def block(self, depth, loop, indent, top=False):
        count = self.random.randint(2, 5) if top else self.random.randint(1, 3)
        return "".join(self.statement(depth, loop, indent) for _ in range(count))

    def test(self):
        name = self.random.choice("ab")
        return self.random.choice([f"{name} % 3 == {self.random.randint(0, 2)}",
                                   f"note({name}) > {self.random.randint(0, 4)}",
                                   f"not {name}", "a < b", "a % 2 and b % 2"])

    def statement(self, depth, loop, indent):
        self.size += 1
        pad, choose = "    " * indent, self.random.random
        r = choose()
        inner = lambda loop=loop: self.block(depth - 1, loop, indent + 1)
        if depth == 0 or self.size > 60 or r < 0.3:
            return pad + self.simple(loop) + "\n"
        if r < 0.62:
            text = f"{pad}if {self.test()}:\n{inner()}"
            return text + (f"{pad}else:\n{inner()}" if choose() < 0.4 else "")
        if r < 0.9:
            return self.loop(depth, loop, pad, inner)
        if r < 0.95:
            return f"{pad}with nothing():\n{inner()}"
        text = f"{pad}try:\n{inner()}{pad}except ValueError:\n{inner()}"
        text += f"{pad}else:\n{inner()}" if choose() < 0.5 else ""
        return text + (f"{pad}finally:\n{pad}    note('finally')\n" if choose() < 0.5 else "")

    def loop(self, depth, loop, pad, inner):
        self.names += 1
        k = f"k{self.names}"
        if self.random.random() < 0.6:
            text = (f"{pad}for {k} in range({self.random.choice(['a', 'b', '2', '3'])} % 4):\n{pad}    a += {k}\n"
                    f"{inner(True)}")
        else:
            test = self.random.choice(["True", f"{k} < 4", f"a < 9 and {k} < 5"])
            text = (f"{pad}{k} = 0\n{pad}while {test}:\n{pad}    {k} += 1\n"
                    f"{pad}    if {k} > 6: {self.random.choice(['break', 'return a'])}\n{inner(True)}")
        return text + (f"{pad}else:\n{inner()}" if self.random.random() < 0.3 else "")

    def simple(self, loop):
        exits = (["return a", "return note(a + b)", "return", "return a, b", "raise ValueError"]
                 + ["break", "continue"] * 4 * loop)
        others = ["a += 1", "b = a - b", "note((a, b))", "b += 1", "note(b)"]
        return self.random.choice(exits if self.random.random() < 0.4 else others)


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("start", range(0, int(os.environ.get("GS_EXITS", 200)), 100))
def test_random_functions(start):
    for seed in range(start, start + 100):
        check_same(Generator(seed).function(), (0, 0), (1, 2), (3, 1), (2, 5), (7, 4))
