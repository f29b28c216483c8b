"""Float expressions of a wanted shape and dtype, bounded and smooth but for rare kinks; and run-time tests."""

from .reads import leaf, literal
from .scope import ONE, Ex, Stuck

SMOOTH = (  # text, bound of the result for operands a (and b) of magnitude at most x (and y)
    ("np.sin({a})", lambda x: min(x, 1)),
    ("np.cos({a})", lambda x: 1),
    ("np.tanh({a})", lambda x: min(x, 1)),
    ("np.exp(np.tanh({a}))", lambda x: 2.8),
    ("np.exp(-{a} * {a})", lambda x: 1),
    ("np.sqrt(1.0 + {a} * {a})", lambda x: 1 + x),
    ("np.log(2.0 + {a} * {a})", lambda x: 0.7 + x),
    ("(1.0 / (1.5 + {a} * {a}))", lambda x: 0.7),
    ("np.abs({a})", lambda x: x),
)
OPERATORS = (("({a} + {b})", lambda x, y: x + y), ("({a} - {b})", lambda x, y: x + y),
             ("({a} * {b})", lambda x, y: x * y))


def expr(fn, shape=(), dtype=None, depth=2, limit=4.0, strong=False):
    """An expression of exactly this shape and dtype. Python numbers do not count as strong."""
    shape, dtype = tuple(shape), dtype or fn.dtype()
    strong = strong or bool(shape)
    for _ in range(6):
        ex = fn.attempt(productions(fn, shape, dtype, depth))
        if not (strong and ex.weak):
            return tame(fn, ex, limit, dtype)
    raise Stuck


def tame(fn, ex, limit, dtype):
    """Bring a bound under a limit: squash it or scale it."""
    if ex.bound <= limit:
        return ex
    if limit >= 1 and ex.bound < 12 and not (ex.weak and dtype == "f32") and fn.chance(0.6):
        return Ex(f"np.{fn.one(('tanh', 'sin'))}({ex.text})", 1.0)
    factor = float(f"{limit / ex.bound:.1g}") if limit / ex.bound < 1 else 0.5
    return Ex(f"({factor} * {ex.text})", limit, ex.weak)


def productions(fn, shape, dtype, depth):
    reads = [(6, lambda: leaf(fn, shape, dtype))]
    if shape:
        reads.append((0.25 if depth > 0 else 0.8, lambda: created(fn, shape, dtype)))
    if depth <= 0:
        return reads
    smaller = depth - 1
    if not shape:
        reads[0] = (3, reads[0][1])
    common = [
        (3, lambda: unary(fn, shape, dtype, smaller)),
        (4, lambda: binary(fn, shape, dtype, smaller)),
        (1, lambda: quotient(fn, shape, dtype, smaller)),
        (0.5, lambda: power(fn, shape, dtype, smaller)),
        (0.5, lambda: either(fn, shape, dtype, smaller)),
        (0.4, lambda: conditional(fn, shape, dtype, smaller)),
        (1.0 if fn.lambdas else 0, lambda: applied(fn, shape, dtype, smaller)),
        (3 if not shape else 6 if ONE in shape else 1.2, lambda: reduced(fn, shape, dtype, smaller)),
        (0.9 if len(shape) <= 2 else 0, lambda: product(fn, shape, dtype, smaller)),
    ]
    if shape:
        common += [(1, lambda: where(fn, shape, dtype, smaller)), (1.2, lambda: joined(fn, shape, dtype, smaller))]
    if len(shape) == 2:
        common.append((2.5, lambda: broadcast(fn, shape, dtype, smaller)))
    return reads + common


# -- elementwise


def operand(fn, shape, dtype, depth):
    """Something that broadcasts to the shape."""
    shapes = [shape] * 3 + ([()] if shape else [])
    if len(shape) == 2:
        shapes += [shape[1:], (shape[0], ONE)]
    chosen = fn.one(shapes)
    return expr(fn, chosen, promotable(fn, dtype), depth)


def promotable(fn, dtype):
    """In a mixed program a float64 operation may take one float32 operand."""
    return "f32" if fn.mode == "mixed" and dtype == "f64" and fn.chance(0.3) else dtype


def unary(fn, shape, dtype, depth):
    a = expr(fn, shape, dtype, depth, strong=dtype == "f32")
    if fn.chance(0.12):
        return Ex(f"(-{a.text})", a.bound, a.weak)
    text, bound = fn.one(SMOOTH)
    if text.count("{a}") > 1 and len(a.text) > 18:
        text, bound = SMOOTH[0]
    if not shape and text == "np.abs({a})" and fn.chance(0.5):
        text = "abs({a})"
    return Ex(text.format(a=a.text), bound(a.bound), weak=a.weak and "np" not in text)


def binary(fn, shape, dtype, depth):
    a, b = expr(fn, shape, dtype, depth), operand(fn, shape, dtype, depth)
    text, bound = fn.one(OPERATORS)
    if fn.chance(0.5) and not (dtype == "f32" and a.weak):
        a, b = b, a
    return Ex(text.format(a=a.text, b=b.text), bound(a.bound, b.bound), a.weak and b.weak)


def quotient(fn, shape, dtype, depth):
    a, b = expr(fn, shape, dtype, depth), operand(fn, shape, dtype, 0)
    if fn.chance(0.1):
        return Ex(f"({a.text} % 3.7)", 3.7, a.weak)
    return Ex(f"({a.text} / (2.0 + {b.text} * {b.text}))", a.bound / 2, a.weak and b.weak)


def power(fn, shape, dtype, depth):
    a = expr(fn, shape, dtype, depth, limit=2.0)
    if fn.chance(0.3):
        return (Ex(f"((1.0 + {a.text} * {a.text}) ** 0.7)", 3.1, a.weak) if len(a.text) < 18
                else power(fn, shape, dtype, 0))
    exponent = fn.one(("2", "2", "3", "2.0"))
    return Ex(f"({a.text} ** {exponent})", a.bound ** float(exponent), a.weak)


def either(fn, shape, dtype, depth):
    a, b = expr(fn, shape, dtype, depth, strong=True), operand(fn, shape, dtype, 0)
    if a.text == b.text or (dtype == "f32" and a.weak):
        raise Stuck  # a tie everywhere
    return Ex(f"np.{fn.one(('maximum', 'minimum'))}({a.text}, {b.text})", max(a.bound, b.bound))


def conditional(fn, shape, dtype, depth):
    a, b = (expr(fn, shape, dtype, depth, strong=True) for _ in range(2))
    if shape and (fn.viewed(a.text) or fn.viewed(b.text)):
        raise Stuck  # memory that only the run knows: it could not be stored into
    return Ex(f"({a.text} if {test(fn)} else {b.text})", max(a.bound, b.bound))


def applied(fn, shape, dtype, depth):
    """A lambda or a nested def of this function; both are elementwise and bounded by 4."""
    a = expr(fn, shape, dtype, depth, limit=2.0, strong=True)
    return Ex(f"{fn.one(fn.lambdas)}({a.text})", 4.0)


def where(fn, shape, dtype, depth):
    a, b = expr(fn, shape, dtype, depth), operand(fn, shape, dtype, 0)
    return Ex(f"np.where({elementwise_test(fn, shape, dtype)}, {a.text}, {b.text})", max(a.bound, b.bound))


def elementwise_test(fn, shape, dtype):
    a = expr(fn, shape, dtype, 0)
    b = literal(fn) if fn.chance(0.6) else expr(fn, shape, dtype, 0)
    return between(fn, a.text, b.text)


def broadcast(fn, shape, dtype, depth):
    """A matrix out of a column and a row."""
    rows, cols = shape
    if fn.chance(0.5):
        a = expr(fn, (rows, ONE), dtype, depth)
        column = a.text
    else:
        a = expr(fn, (rows,), dtype, depth)
        column = f"({a.text})[:, None]"
    b = expr(fn, fn.one([(cols,), (cols,), (ONE, cols)]), promotable(fn, dtype), depth)
    text, bound = fn.one(OPERATORS)
    return Ex(text.format(a=column, b=b.text), bound(a.bound, b.bound))


# -- reductions and products


def reduced(fn, shape, dtype, depth):
    """sum, mean, max, min, of a whole array or along an axis."""
    if shape and ONE in shape and len(shape) == 2:
        return kept(fn, shape, dtype, depth)
    if len(shape) > 1:
        raise Stuck
    inner, axis, count = reducible(fn, shape)
    name, bound = fn.one(reducers(fn, count))
    a = expr(fn, inner, dtype, depth)
    scale = 1
    for d in count:
        scale *= max(d.hi, 1)
    return Ex(call(fn, name, a.text, axis), bound(a.bound, scale))


def reducible(fn, shape):
    """(shape to reduce, axis argument or None, the reduced lengths)"""
    dims = fn.dims()
    if not shape:
        inner = fn.one([v.shape for v in fn.arrays()])
        return inner, (None if len(inner) != 2 or fn.chance(0.8) else "(0, 1)"), inner
    other = fn.one(dims)
    if fn.chance(0.5):
        return (other, *shape), fn.one(("0", "-2")), (other,)
    return (*shape, other), fn.one(("1", "-1")), (other,)


def reducers(fn, count):
    names = [("sum", lambda x, n: x * n)] * 3
    if all(fn.lo(d) >= 1 for d in count):
        names += [("mean", lambda x, n: x)] * 2 + [("max", lambda x, n: x), ("min", lambda x, n: x)]
    return names


def call(fn, name, text, axis, keep=False):
    extra = ([f"axis={axis}"] if axis else []) + (["keepdims=True"] if keep else [])
    if fn.chance(0.4):
        return f"({text}).{name}({', '.join(extra)})"
    return f"np.{name}({', '.join([text, *extra])})"


def kept(fn, shape, dtype, depth):
    axis = 1 if shape[1] == ONE else 0
    other = fn.one(fn.dims())
    inner = (shape[0], other) if axis else (other, shape[1])
    name, bound = fn.one(reducers(fn, (other,)))
    a = expr(fn, inner, dtype, depth)
    return Ex(call(fn, name, a.text, str(axis), keep=True), bound(a.bound, max(other.hi, 1)))


def product(fn, shape, dtype, depth):
    """@, dot, outer."""
    if len(shape) == 2 and fn.chance(0.4):
        a, b = expr(fn, shape[:1], dtype, depth), expr(fn, shape[1:], promotable(fn, dtype), depth)
        return Ex(f"np.outer({a.text}, {b.text})", a.bound * b.bound)
    inner = fn.one(fn.dims())
    if not shape:
        left, right = (inner,), (inner,)
    elif len(shape) == 1:
        left, right = fn.one([((shape[0], inner), (inner,)), ((inner,), (inner, shape[0]))])
    else:
        left, right = (shape[0], inner), (inner, shape[1])
    a, b = expr(fn, left, dtype, depth), expr(fn, right, promotable(fn, dtype), depth)
    form = fn.one(("({a} @ {b})", "({a} @ {b})", "np.dot({a}, {b})", "np.matmul({a}, {b})", "({a}).dot({b})"))
    return Ex(form.format(a=a.text, b=b.text), a.bound * b.bound * max(inner.hi, 1))


# -- new arrays, shapes


def created(fn, shape, dtype):
    lengths = ", ".join(fn.length(d) for d in shape)
    size = lengths if len(shape) == 1 else f"({lengths})"
    kind = ", dtype=np.float32" if dtype == "f32" else fn.one(("", "", "", ", dtype=np.float64"))
    like = [v for v in fn.floats(dtype=dtype) if v.shape == shape]
    options = [
        (2, lambda: Ex(f"np.zeros({size}{kind})", 0.1)),
        (2, lambda: Ex(f"np.ones({size}{kind})", 1.0)),
        (3, lambda: (lambda s: Ex(f"np.full({size}, {s.text}{kind})", s.bound))(expr(fn, (), dtype, 1))),
        (2, lambda: Ex(f"np.{fn.one(('zeros', 'ones'))}_like({fn.one(like).name})", 1.0)),
    ]
    if len(shape) == 1 and dtype == "f64":
        options.append((2, lambda: Ex(f"(0.1 * np.arange({lengths}))", 0.1 * shape[0].hi)))
        options.append((1, lambda: Ex(f"(np.arange({lengths}) / 3.0)", shape[0].hi / 3)))
    if len(shape) == 2 and shape[0] == shape[1]:
        options.append((2, lambda: Ex(f"np.eye({fn.length(shape[0])}{kind})", 1.0)))
    return fn.attempt(options)


def joined(fn, shape, dtype, depth):
    """concatenate, stack, reshape, transpose, copy."""
    again = lambda s: expr(fn, s, dtype, depth)
    options = [(1, lambda: (lambda a: Ex(f"({a.text}).copy()", a.bound))(leaf(fn, shape, dtype)))]
    for axis, d in enumerate(shape):
        if d.parts:
            options.append((4, lambda axis=axis, d=d: concatenated(fn, shape, axis, d, again)))
        if d.key == "2" and len(shape) == 2:
            options.append((4, lambda axis=axis: stacked(fn, shape, axis, again)))
    if len(shape) == 2:
        size = f"({fn.length(shape[0])}, {fn.length(shape[1])})"
        turned = lambda: again(shape[::-1])
        options.append((2, lambda: (lambda a: Ex(f"({a.text}).T", a.bound))(turned())))
        options.append((1, lambda: (lambda a: Ex(f"np.transpose({a.text})", a.bound))(turned())))
        options.append((1, lambda: (lambda a: Ex(f"np.reshape({a.text}, {size})", a.bound))(turned())))
        options.append((1, lambda: (lambda a: Ex(f"({a.text}).reshape{size}", a.bound))(turned())))
    return fn.attempt(options)


def concatenated(fn, shape, axis, dim, again):
    a, b = (again((*shape[:axis], part, *shape[axis + 1 :])) for part in dim.parts)
    extra = f", axis={axis}" if axis or fn.chance(0.2) else ""
    return Ex(f"np.concatenate(({a.text}, {b.text}){extra})", max(a.bound, b.bound))


def stacked(fn, shape, axis, again):
    a, b = again((shape[1 - axis],)), again((shape[1 - axis],))
    extra = f", axis={axis}" if axis or fn.chance(0.2) else ""
    return Ex(f"np.stack(({a.text}, {b.text}){extra})", max(a.bound, b.bound))


# -- tests


def test(fn, depth=1):
    """A run-time truth value; floats are compared with generic values only."""
    number = lambda: expr(fn, (), None, 1, strong=True).text
    options = [
        (4, lambda: f"{number()} {fn.one(('<', '>', '<=', '>='))} {literal(fn).text}"),
        (2, lambda: between(fn, number(), number())),
        (1, lambda: f"-{abs(literal(fn).bound)} < {number()} < {abs(literal(fn).bound)}"),
        (2 if fn.ints else 0, lambda: integer_test(fn)),
        (1 if fn.flags else 0, lambda: f"{fn.one(('', 'not '))}{fn.one(fn.flags)}"),
    ]
    if depth:
        both = lambda word: f"({test(fn, 0)} {word} {test(fn, 0)})"
        options += [(1, lambda: both("and")), (1, lambda: both("or")), (0.4, lambda: f"not {both('and')}")]
    return fn.attempt(options)


def between(fn, a, b):
    if a == b:
        raise Stuck  # a tie
    return f"{a} {fn.one('<>')} {b}"


def integer_test(fn):
    i = fn.one(fn.ints.values())
    forms = ["{i} % 2 == 0", "{i} % 3 != 1", "{i} > 1", "{i} == 2", "0 < {i} < 4", "{i} != 1"]
    others = [j.name for j in fn.ints.values() if j.name != i.name]
    forms += [f"{{i}} {op} {fn.one(others)}" for op in ("<", ">=", "==") if others]
    forms += [f"{{i}} < {i.dim.text} - 1"] if i.dim and i.dim.text else []
    return fn.one(forms).format(i=i.name)
