"""Blocks around what may raise, as ordinary programs have them: several handlers, `else` and `finally`, exceptions
that are raised again, that a helper raises, that NumPy, Python's numbers and indices raise; stores before the raise."""

from .expressions import expr, test
from .library import matrix
from .reads import literal
from .scope import Stuck

PARENTS = {"ValueError": "Exception", "ZeroDivisionError": "ArithmeticError", "IndexError": "LookupError",
           "KeyError": "LookupError", "np.linalg.LinAlgError": "ValueError", "AssertionError": "Exception",
           "RuntimeError": "Exception", "Trouble": "RuntimeError"}
OTHERS = ("KeyError", "TypeError", "OverflowError", "FileNotFoundError")
WORDS = ("'low'", "'too far'", "f'at {{{n}}}'", "'step', 0.25", "")
TROUBLE = "class Trouble(RuntimeError):\n    pass"
CHECKED = """def checked(v, least=-0.4):
    if v < least:
        raise {kind}({words})
    return {value}"""
VALUES = ("np.sqrt(2.0 + v * v)", "v * 0.5", "np.sin(v) + least")


def attempted(fn, body):
    """try, what may raise in it, and its handlers; `body(fn, least, most)` writes statements."""
    if fn.chance(0.15):
        return nested(fn, body)
    fn.note("try")
    with fn.block("try:"):
        kind = risk(fn, body)
    handlers(fn, kind, body)
    if fn.chance(0.25):
        with fn.block("else:"):
            body(fn, 1, 1)
    if fn.chance(0.25):
        with fn.block("finally:"):
            body(fn, 1, 1)
            fn.note("finally")


def risk(fn, body):
    """The inside of a try block; the class of what may be raised there."""
    if fn.chance(0.5):
        body(fn, 1, 2)  # stays as it is, if something is raised after it
    kind = fn.attempt([(3, lambda: refused(fn)), (2, lambda: asserted(fn)), (3, lambda: divided(fn)),
                       (2, lambda: out_of_domain(fn)), (2, lambda: beyond(fn)), (2, lambda: missing(fn)),
                       (3, lambda: singular(fn)), (3, lambda: by_helper(fn))])
    if fn.chance(0.4):
        body(fn, 1, 1)
    left_here(fn, 0.3)
    return kind


def left_here(fn, p):
    """A loop around is left, or goes on, where nothing was raised: it tries again otherwise."""
    if fn.loops and fn.chance(p):
        fn.emit(fn.one(("break", "break", "continue")))
        fn.note("left in try")


def handlers(fn, kind, body):
    """One for that class or for a parent of it, perhaps after others; now and then none that fits."""
    parent = PARENTS[kind]
    fits = fn.one((kind, kind, kind, parent, "Exception", f"({kind}, {fn.one(OTHERS)})", ""))
    if fn.chance(0.3):
        with fn.block(f"except {fn.one([o for o in OTHERS if o not in (kind, fits)])}:"):
            body(fn, 1, 1)
        if fn.chance(0.03):
            return  # it is raised
    named = fits and fn.chance(0.35)
    with fn.block(f"except {fits} as problem:" if named else f"except {fits}:" if fits else "except:"):
        if named and fn.chance(0.7):
            of_the_problem(fn)
        if fn.chance(0.12):
            fn.emit("pass")
        else:
            body(fn, 1, 2)
        left_here(fn, 0.1)


def of_the_problem(fn):
    """Something of the exception decides."""
    numbers = [v for v in fn.floats(0) if not v.weak and not v.fixed]
    name = fn.one(numbers).name if numbers else None
    if name is None:
        return
    how = fn.one(("len(problem.args) > 0", "'low' in str(problem)", "isinstance(problem, ValueError)"))
    fn.emit(f"{name} = {name} * 0.5 if {how} else {name} * 0.7")
    fn.note("as problem")


def nested(fn, body):
    """What an inner handler raises, an outer one catches."""
    with fn.block("try:"):
        with fn.block("try:"):
            kind = risk(fn, body)
        with fn.block(f"except {kind} as problem:"):
            if fn.chance(0.5):
                body(fn, 1, 1)
            again = fn.one(("raise", "raise", "raise RuntimeError('again') from problem", "raise problem",
                            "raise KeyError('other') from None"))
            fn.emit(again)
        if fn.chance(0.3):
            with fn.block("finally:"):
                body(fn, 1, 1)
    caught = {"RuntimeError": "RuntimeError", "KeyError": "LookupError"}
    outer = next((c for name, c in caught.items() if name in again), fn.one((kind, PARENTS[kind])))
    with fn.block(f"except {outer}:"):
        body(fn, 1, 1)
    fn.note("raised again")


def valued(fn):
    """A number that is what was computed, or what stands for it."""
    dtype, name = fn.dtype(), fn.fresh("t")
    with fn.block("try:"):
        kind = fn.attempt([(2, lambda: solved_for(fn, name, dtype)), (2, lambda: checked_value(fn, name, dtype)),
                           (2 if fn.mode == "f64" else 0, lambda: ratio(fn, name))])
    with fn.block(f"except {fn.one((kind, PARENTS[kind], 'Exception'))}:"):
        fn.emit(f"{name} = {expr(fn, (), dtype, 1, limit=1.0, strong=True).text}")
    fn.note("try, value")
    fn.bind(name, dtype, (), 4.0)


def solved_for(fn, name, dtype):
    K, n = matrix(fn, dtype)
    b = expr(fn, (n,), dtype, 0, limit=1.0).text
    fn.emit(f"if {test(fn)}:")
    fn.emit(f"    {K} *= 0.0")
    fn.emit(f"{name} = np.tanh(({b}) @ {fn.one((f'np.linalg.inv({K}) @ ({b})', f'np.linalg.solve({K}, {b})'))})")
    return "np.linalg.LinAlgError"


def checked_value(fn, name, dtype):
    if fn.mode == "mixed":
        raise Stuck
    fn.emit(f"{name} = {helper(fn)}({expr(fn, (), dtype, 1, limit=2.0, strong=True).text})")
    return helper_raises(fn)


def ratio(fn, name):
    fn.emit(f"{name} = float({expr(fn, (), 'f64', 1, limit=1.0, strong=True).text}) / int({test(fn)})")
    return "ZeroDivisionError"


# -- what may raise


def refused(fn):
    kind = fn.one(("ValueError", "RuntimeError", "Trouble", "KeyError"))
    words = fn.one(WORDS)
    if kind == "Trouble":
        fn.everyday["Trouble"] = TROUBLE
    number = expr(fn, (), None, 0, strong=True).text
    fn.emit(f"if {test(fn)}:")
    fn.emit(f"    raise {kind}({words.format(n=number)})")
    return kind


def asserted(fn):
    fn.emit(f"assert {test(fn)}{fn.one(('', ', ' + repr('low')))}")
    return "AssertionError"


def divided(fn):
    """Python's numbers raise, NumPy's do not."""
    changed = fn.one([v for v in fn.floats(0, "f64") if not v.weak and not v.fixed and fn.mode == "f64"])
    below = fn.one([f"int({test(fn)})", f"float({test(fn)})"] + [f"({i.name} % 2)" for i in fn.ints.values()])
    fn.emit(f"{changed.name} = {changed.name} * 0.7 + {fn.one(('0.3', '1'))} / {below}")
    changed.cell.bound = min(changed.cell.bound + 1.0, 60.0)
    return "ZeroDivisionError"


def out_of_domain(fn):
    changed = fn.one([v for v in fn.floats(0, "f64") if not v.weak and not v.fixed and fn.mode == "f64"])
    number = expr(fn, (), "f64", 1, limit=1.0, strong=True).text
    fn.emit(f"{changed.name} = 0.5 * {changed.name} + math.{fn.one(('sqrt', 'log'))}({number} + {literal(fn).text})")
    return "ValueError"


def beyond(fn):
    """An index that is out of range in some rounds."""
    var = fn.one([v for v in fn.arrays() if len(v.shape) == 1 and fn.lo(v.shape[0]) >= 1])
    i = fn.one(list(fn.ints.values()))
    fn.emit(f"{var.name}[{i.name} + {fn.one('123')}] {fn.one(('*= 0.5', '= 0.3', '+= 0.2'))}")
    return "IndexError"


def missing(fn):
    """An item of a list or of a dict."""
    changed = fn.one([v for v in fn.floats(0, "f64") if not v.weak and not v.fixed and fn.mode == "f64"])
    i = fn.one(list(fn.ints.values())).name
    a, b = (expr(fn, (), "f64", 0, limit=1.0, strong=True).text for _ in range(2))
    where, kind = fn.one(((f"[{a}, {b}][{i}]", "IndexError"), (f"{{0: {a}, 1: {b}}}[{i} % 3]", "KeyError"),
                          (f"({a}, {b})[{i} - 1]", "IndexError")))
    fn.emit(f"{changed.name} += 0.5 * {where}")
    return kind


def singular(fn):
    """A matrix that is regular or 0, as a test says."""
    dtype = fn.dtype()
    K, n = matrix(fn, dtype)
    into = fn.one([v for v in fn.floats(1, dtype) if v.shape[0] == n])
    if fn.lo(n) < 1:
        raise Stuck
    fn.emit(f"if {test(fn)}:")
    fn.emit(f"    {K}{fn.one(('[0] = 0.0', ' *= 0.0', '[:, -1] = 0.0'))}")
    b = expr(fn, (n,), dtype, 0, limit=1.0).text
    fn.emit(fn.one((f"{into.name}[:] = np.linalg.inv({K}) @ ({b})", f"{into.name}[:] = np.linalg.solve({K}, {b})",
                    f"{into.name} += np.linalg.cholesky({K} @ {K}.T)[-1] * 0.1"
                    if "*=" in fn.lines[-1] else f"{into.name} += np.linalg.solve({K}, {b})")))
    return "np.linalg.LinAlgError"


def by_helper(fn):
    changed = fn.one([v for v in fn.floats(0) if not v.weak and not v.fixed and fn.mode != "mixed"])
    name = helper(fn)
    call = f"{name}({expr(fn, (), changed.dtype, 1, limit=2.0, strong=True).text}{fn.one(('', ', -0.3'))})"
    fn.emit(f"{changed.name} = {fn.one((call, f'0.5 * {changed.name} + {call}'))}")
    return helper_raises(fn)


def helper(fn):
    """The name of a function that raises of small numbers; there is one in a program."""
    if "checked" not in fn.everyday:
        kind = fn.one(("ValueError", "Trouble", "ZeroDivisionError"))
        if kind == "Trouble":
            fn.everyday["Trouble"] = TROUBLE
        words = fn.one(("'low'", "f'low: {v}'", "v, least", ""))
        fn.everyday["checked"] = CHECKED.format(kind=kind, words=words, value=fn.one(VALUES))
    return "checked"


def helper_raises(fn):
    return fn.everyday["checked"].split("raise ")[1].split("(")[0]
