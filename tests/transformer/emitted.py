"""What the tests of readable source share."""
import textwrap

import numpy as np

from gradscribe.transformer.readable import readable
from tests.transformer.coretext import core


def becomes(before, after, owned=()):
    text = readable(core(before), frozenset(owned)).text
    code = text[text.index("def "):]
    assert code.strip() == textwrap.dedent(after).strip(), code


def source(transform, f, *args):
    text = transform(f).source(*args)
    return text[text.index("def "):].strip()


# exits ---------------------------------------------------------------------------------------------
def newton(x):
    y = x
    while abs(y * y - x) > 1e-9:
        y = 0.5 * (y + x / y)
    return y


def first_above(xs, limit):
    s = 0.0
    for v in xs:
        if v > limit:
            break
        s += v * v
    return s


def lookup(xs):
    for k in range(len(xs)):
        if xs[k] < 0:
            return xs[k] * 2.0
    return np.sum(xs)
