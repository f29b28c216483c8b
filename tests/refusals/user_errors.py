"""Errors that users meet: the programs, and what is said where."""
import textwrap
from dataclasses import dataclass

import numpy as np

import gradscribe as gs

HEAD = """\
import array
import collections
import contextlib
import functools
import heapq
import logging
import math
import random
import sys
import time
import warnings
import zlib
from dataclasses import dataclass

import numba
import numpy as np
from scipy import special

TABLE = np.zeros(3)
LOG, LOGGER, LONER = [], logging.getLogger("model"), logging.Logger("alone")
SEEN = {"last": 0.0}
COUNT = 0
RNG = np.random.default_rng(0)
EXCLUDING = np.vectorize(lambda a, b: a * b, excluded=[1])


@dataclass
class Settings:
    rate: float = 0.1


class Model:
    def __init__(self):
        self.count = 0


SETTINGS, MODEL = Settings(), Model()


@contextlib.contextmanager
def doubled(x):
    yield 2.0 * x


@numba.njit
def jitted(x):
    return x * 2.0


@numba.vectorize
def each(x):
    return x * 2.0


@numba.guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
def of_rows(x, y):
    y[:] = x * 2.0


"""


@dataclass(frozen=True)
class Case:
    """A function that is refused, how it is called, and what the error says."""

    name: str
    text: str
    error: type = gs.UnsupportedError
    says: str = ""
    instead: str = ""
    transform: object = gs.grad
    args: tuple = (np.array([0.5, 1.5, -0.5]),)


def case(name, text, *about, **more):
    return Case(name, textwrap.dedent(text).strip("\n") + "\n", *about, **more)


IMPURE, TYPES = gs.ImpurityError, gs.SpecialisationError
INTEGERS = np.array([1, 2, 3])
CASES = [
    # ---- syntax
    case("value of a yield", """
        def f(x):
            def parts():
                y = «yield x[0]»
            return sum(parts())
        """, says="a yield whose value is used", instead="a statement of its own"),
    case("yield in a try block", """
        def f(x):
            def parts():
                try:
                    «yield x[0]»
                finally:
                    print("done")
            return sum(parts())
        """, says="a yield inside a try or with block", instead="after the block"),
    case("next of a generator", """
        def f(x):
            def parts():
                yield x[0]
            return «next(parts())»
        """, says="a generator whose values are taken one by one: next() is called", instead="make a list"),
    case("send to a generator", """
        def f(x):
            def parts():
                yield x[0]
            return «parts().send»(None)
        """, says="the attribute send of", instead="Loop over it"),
    case("rest of a generator", """
        def f(x):
            def parts():
                yield x[0]
                yield x[1]
            rest = parts()
            for v in rest:
                break
            return «sum(rest)»
        """, says="a loop that was left early has run over it", instead="once more"),
    case("try / except", """
        def f(x):
            try:
                «y = x[x.astype(int)]»
            except IndexError:
                y = x
            return np.sum(y)
        """, says="an except block for what only the run time knows", instead="if"),
    case("set of the run time", """
        def f(x):
            return x[0] * len(«{x[1], 2}»)
        """, error=gs.SpecialisationError, says="it is an item of a set", instead="constant"),
    case("match with a guard", """
        def f(x):
            match (x[0], x[1]):
                case «(0.0, y)» if y > 0:
                    return y
            return 0.0
        """, says="a guard that reads what its pattern captures", instead="if in the block"),
    case("with that raises", """
        def f(x):
            «with np.errstate(all="raise"):»
                y = np.log(x * x)
            return np.sum(y)
        """, says="np.errstate(all='raise')", instead="isfinite"),
    case("class in a function", """
        def f(x):
            «class Point:»
                pass
            return np.sum(x)
        """, says="a class inside a function", instead="top of the module"),
    case("async def", """
        «async def f(x):»
            return np.sum(x)
        """, says="a coroutine", instead="Wait outside"),
    case("nested async def", """
        def f(x):
            «async def g(y):»
                return y
            return np.sum(x)
        """, says="an async function", instead="outside"),
    case("import of a module that is not there yet", """
        def f(x):
            «import mailbox»
            return np.sum(x) * mailbox.X
        """, says="an import of mailbox, which is not imported yet", instead="top of the module"),
    # ---- arrays
    case("a list that grows in a run-time loop", """
        def f(x):
            out = []
            while len(out) < np.sum(x):
                «out.insert(0, x[:len(out) + 1])»
            return np.sum(out[0])
        """, says="a list that grows", instead="array before the loop"),
    case("a store into what np.broadcast_to views", """
        def f(x):
            y = x * 1.0
            z = np.broadcast_to(y, (2, 3))
            «y[0] = 5.0»
            return np.sum(z)
        """, says="may share memory", instead="x.copy()"),
    case("aliasing that only the run time knows", """
        def f(x):
            y, z = x * 1.0, x * 2.0
            w = y if x[0] > 0.0 else z
            «w[0] = 5.0»
            return np.sum(y) + np.sum(z)
        """, says="may share memory", instead="x.copy()"),
    case("a function without a rule", """
        def f(x):
            return np.sum(«np.isfortran(x)» * x)
        """, says="np.isfortran has no rule", instead="docs/rules.md"),
    case("a function of arrays without a rule", """
        def f(x):
            return np.sum(np.abs(«np.asarray_chkfinite(x)»))
        """, says="np.asarray_chkfinite has no rule", instead="docs/rules.md"),
    case("a method without a rule", """
        def f(x):
            y = x * 1.0
            «y.partition(1)»
            return np.sum(y)
        """, says="has no method 'partition'", instead="docs/rules.md"),
    case("a misspelled attribute", """
        def f(x):
            return np.sum(x) * len(«x.shpe»)
        """, says="no attribute 'shpe'", instead="shape"),
    case("a misspelled function", """
        def f(x):
            return «np.summ»(x)
        """, says="no attribute 'summ'", instead="Did you mean np.sum?"),
    case("a keyword that a rule does not have", """
        def f(x):
            return «np.quantile(x, 0.3, method="hazen")»
        """, says="a quantile with method='hazen'", instead="'linear'"),
    case("where= without out=", """
        def f(x):
            return np.sum(«np.sin(x, where=x > 0.0)»)
        """, says="np.sin with where= and no out=", instead="out=np.zeros"),
    case("object array", """
        def f(x):
            a = «np.array([x[0], None])»
            return np.sum(x)
        """, says="None is used as a number", instead="numbers"),
    # ---- functions
    case("a function compiled by numba", """
        def f(x):
            return np.sum(«jitted(x.astype(np.float32))»)
        """, says="float32 in a function that numba compiled", instead="x.astype(np.float64)"),
    case("a function under numba's vectorize, of short numbers", """
        def f(x):
            return np.sum(«each(x.astype(np.float32))»)
        """, says="a function under numba's vectorize of float32", instead="x.astype(np.float64)"),
    case("a function under numba's guvectorize, with its result", """
        def f(x):
            return np.sum(«of_rows(x, np.zeros(3))»)
        """, says="with arrays for its results", instead="Use what it returns"),
    case("np.vectorize with a signature, of what returns a list", """
        def f(x):
            return np.sum(«np.vectorize(lambda v: [v[0], v[1]], signature="(n)->(m)")(x)»)
        """, says="returns a list or a tuple in its result", instead="np.array(...)"),
    case("np.vectorize outside, with excluded", """
        def f(x):
            return np.sum(«EXCLUDING(x, 2.0)»)
        """, says="otypes= or excluded=", instead="Leave it out"),
    case("% with names, of values of the run", """
        def f(x):
            raise ValueError(«"no %(x)s" % {"x": x[0]}»)
        """, says="of values of the run time", instead="f-string"),
    case("a view of another dtype", """
        def f(x):
            return np.sum(«x.view(np.int64)»)
        """, says="a view of another dtype", instead="x.astype"),
    case("an array of None that is stored into", """
        def f(x):
            z = np.array([None, None])
            «z[0] = x[0]»
            return np.sum(x)
        """, says="a store into the ndarray", instead="copy", error=gs.ImpurityError),
    case("another branch of lambertw", """
        def f(x):
            return np.sum(np.abs(«special.lambertw(x, 1)»))
        """, says="real branches of real numbers", instead="k=0 or k=-1"),
    case("a function written in C", """
        def f(x):
            return np.sum(x) * «zlib.crc32(b"a")»
        """, says="zlib.crc32 has no rule", instead="docs/rules.md"),
    case("a key that the run computes", """
        def f(x):
            sums = {}
            for v in x:
                «sums.setdefault(int(v > 1.0), [])».append(v)
            return sum(sums[0])
        """, error=TYPES, says="it is a key", instead="an array with a place for each key"),
    case("a merge of sorted lists, one by one", """
        def f(x):
            return sum(«heapq.merge([x[0]], [x[1]])»)
        """, says="heapq.merge, which takes items one by one", instead="sorted([*a, *b])"),
    case("a defaultdict that would hold a function of the inside", """
        def f(x):
            d = collections.defaultdict(lambda: 1.0)
            d["a"] *= x[0]
            «return d»
        """, says="the function returns a defaultdict", instead="dict(d)", transform=gs.jit),
    case("recursion without an end", """
        def f(x, n=5.0):
            return x[0] * «f(x, x[1])»
        """, says="calls itself", instead="write a loop"),
    case("an object of a class", """
        def f(x):
            seen = «array.array("d")»
            return np.sum(x) * len(seen)
        """, says="an object of class array", instead="dataclass"),
    # ---- values
    case("a method of a string made at run time", """
        def f(x):
            return x[0] * len(«str(x[0]).strip»())
        """, says="a string with values of the run time", instead="numbers"),
    case("a test of a string made at run time", """
        def f(x):
            return x[0] if «f"{x[0]:.1f}" == "0.5"» else x[1]
        """, says="a string with values of the run time", instead="Compare the values"),
    case("a name that is not defined", """
        def f(x):
            return np.sum(x * «weight»)
        """, says="'weight' is not defined", instead="Define weight"),
    case("sorted by values of the run time and of several kinds", """
        def f(x):
            return «sorted([x[0], float(x[1])])»[0]
        """, says="numbers of different types in an order", instead="all floats"),
    case("a long tuple indexed by a float's int", """
        def f(x):
            parts = (x[0], x[1], x[2]) * 30
            return «parts[int(x[0])]»
        """, TYPES, says="must be known before", instead="constant"),
    case("a variable of two kinds", """
        def f(x):
            if x[0] > 0.0:
                y = x
            else:
                y = "none"
            return np.sum(«y»)
        """, says="'y' cannot be used here", instead="same kind of value"),
    case("an array that gains an axis in a loop", """
        def f(x):
            y = x
            for i in range(40):
                y = «y»[None]
            return np.sum(y)
        """, says="'y' cannot be used here", instead="same kind of value"),
    # ---- what a derivative is of
    case("grad of an int argument", """
        def f(«n», x):
            return np.sum(x) * n
        """, TYPES, says="has dtype int64", instead="floats", args=(3, np.ones(2))),
    case("grad of an int array", """
        def f(x, «counts»):
            return np.sum(x * counts)
        """, TYPES, says="has dtype int64", instead="floats", transform=lambda f: gs.grad(f, argnums=1),
         args=(np.ones(3), INTEGERS)),
    case("grad of an array", """
        def f(x):
            «return x * 2.0»
        """, TYPES, says="one float", instead="np.sum"),
    case("grad of a pair", """
        def f(x):
            «return np.sum(x), x»
        """, TYPES, says="one float", instead="gs.vjp"),
    case("grad of nothing", """
        «def f(x):»
            y = x * 2.0
        """, TYPES, says="None", instead="Return a scalar"),
    case("has_aux without a pair", """
        def f(x):
            «return np.sum(x)»
        """, TYPES, says="has_aux=True", instead="Return (value, aux)", transform=lambda f: gs.grad(f, has_aux=True)),
]
