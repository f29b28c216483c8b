"""Refusals of what a function does beside giving a result: see `user_errors`."""
import numpy as np

import gradscribe as gs
from tests.refusals.user_errors import IMPURE, case

EFFECTS = [
    case("np.seterr that stays", """
        def f(x):
            «np.seterr(all="ignore")»
            return np.sum(1.0 / x)
        """, says="np.seterr, which others see after the call", instead="with np.errstate(all='ignore'):"),
    case("a context that leaves np.seterr", """
        @contextlib.contextmanager
        def quiet():
            np.seterr(all="ignore")
            yield

        def f(x):
            «with quiet():
                return np.sum(1.0 / x)»
        """, says="a context that leaves np.seterr as it has set it", instead="np.seterr(**old)"),
    case("np.seterr that raises", """
        @contextlib.contextmanager
        def loud():
            old = «np.seterr(all="raise")»
            try:
                yield
            finally:
                np.seterr(**old)

        def f(x):
            with loud():
                return np.sum(1.0 / x)
        """, says="np.seterr(all='raise')", instead="Test the result"),
    case("yield in a try block of a context, in a loop", """
        @contextlib.contextmanager
        def parts(x):
            try:
                «yield x[0]»
            finally:
                print("done")

        def f(x):
            return sum(parts.__wrapped__(x))
        """, says="a yield inside a try or with block", instead="after the block"),
    case("a context that is entered twice", """
        def f(x):
            manager = doubled(x)
            with manager as y:
                s = np.sum(y)
            «with manager as y:
                s += np.sum(y)»
            return s
        """, says="a context manager that has been left is entered", instead="in each with statement"),
    case("a context that decorates", """
        def f(x):
            @doubled(x)
            «def inner(y):
                return y»
            return inner(x)
        """, says="a function in a context manager that is a generator", instead="with block inside"),
    case("open", """
        def f(x):
            file = «open("data.txt")»
            return np.sum(x)
        """, IMPURE, says="open does input or output", instead="before the call"),
    case("input", """
        def f(x):
            return x[0] * float(«input()»)
        """, IMPURE, says="input does input or output", instead="before the call"),
    case("np.save", """
        def f(x):
            «np.save("x.npy", x)»
            return np.sum(x)
        """, IMPURE, says="np.save does input or output", instead="before the call"),
    case("np.random", """
        def f(x):
            return np.sum(x * «np.random.rand(3)»)
        """, IMPURE, says="hidden random state", instead="Draw the numbers before the call"),
    case("a generator of random numbers", """
        def f(x):
            return np.sum(x * «RNG.normal(size=3)»)
        """, IMPURE, says="hidden random state", instead="Draw the numbers before the call"),
    case("random", """
        def f(x):
            return x[0] * «random.gauss(0.0, 1.0)»
        """, IMPURE, says="hidden random state", instead="Draw the numbers before the call"),
    case("the clock", """
        def f(x):
            began = «time.time()»
            return x[0] * began
        """, IMPURE, says="depends on the clock that is read here", instead="Print the time or log it"),
    case("the clock decides", """
        def f(x):
            began = «time.time()»
            while np.sum(x) > 0.1:
                x = 0.5 * x
                if began + 10.0 < 20.0:
                    break
            return np.sum(x)
        """, IMPURE, says="depends on the clock that is read here", instead="outside"),
    case("the day of the call", """
        def f(x):
            import datetime
            return x[0] * «datetime.date.today()».day
        """, IMPURE, says="date.today depends on the clock", instead="outside"),
    case("a pause", """
        def f(x):
            «time.sleep(0.1)»
            return np.sum(x)
        """, IMPURE, says="time.sleep depends on the clock", instead="outside"),
    case("a warning in a block with a filter", """
        def f(x):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                «warnings.warn("rough")»
            return np.sum(x)
        """, says="catch_warnings with filters of its own", instead="around the call"),
    case("a logger that nobody finds by its name", """
        def f(x):
            «LONER.info("here")»
            return np.sum(x)
        """, says="a logger that logging.getLogger does not give", instead="Get it by its name"),
    case("the traceback of a logger", """
        def f(x):
            «LOGGER.exception("failed")»
            return np.sum(x)
        """, IMPURE, says="does input or output", instead="write what the function returns"),
    case("a list that a logger shows", """
        def f(x):
            «LOGGER.info("%s", [x[0], x[1]])»
            return np.sum(x)
        """, says="as a value of a logger's message", instead="f-string"),
    case("a print into a file", """
        def f(x):
            «print(x[0], file="out.txt")»
            return np.sum(x)
        """, says="print to", instead="sys.stdout"),
    case("eval", """
        def f(x):
            return x[0] * «eval("2.0")»
        """, IMPURE, says="eval", instead="outside"),
    case("append to a global list", """
        def f(x):
            «LOG.append(x[0])»
            return np.sum(x)
        """, IMPURE, says="a change of LOG", instead="copy"),
    case("item of a global dict", """
        def f(x):
            «SEEN["last"] = x[0]»
            return np.sum(x)
        """, IMPURE, says="a change of SEEN", instead="copy"),
    case("attribute of a global object", """
        def f(x):
            «MODEL.count = 3»
            return np.sum(x)
        """, IMPURE, says="attribute 'count' of the Model",
         instead="return result, count. Of a derivative it comes as aux: slope, count = gs.grad(f, has_aux=True)(x)."),
    case("attribute of a global dataclass", """
        def f(x):
            «SETTINGS.rate = 0.5»
            return np.sum(x)
        """, IMPURE, says="a change of SETTINGS", instead="copy"),
    case("a dict that the caller passed gets an array that is returned, too", """
        def f(params):
            y = params["a"] * 2.0
            «params["b"] = y»
            return y
        """, gs.UnsupportedError, says="params gets an array, list, dict or object that others see, too",
         instead="Put a copy of it there: x.copy()", transform=gs.jit, args=({"a": np.ones(2)},)),
    case("a list that the caller passed gets shorter on one path", """
        def f(a, x):
            if x > 0.0:
                «a.pop()»
            return x
        """, gs.UnsupportedError, says="it has another length, or other keys, on each path",
         instead="Let it have the same length", transform=gs.jit, args=([1.0, 2.0], 0.5)),
    case("one of two lists that the caller passed", """
        def f(a, b, x):
            c = a if x > 0.0 else b
            «c.append(x)»
            return x
        """, IMPURE, says="a change of the caller's a", instead="copy", transform=gs.jit, args=([1.0], [2.0], 0.5)),
]
