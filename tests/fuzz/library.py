"""Blocks of NumPy's library: complex numbers on the way from real values to real values, einsum, linalg, cumulative
functions, sort, fft, and generators. A block is a few lines and the expression that they end in; what it gives is
bounded, and its matrices are far from singular."""

from .expressions import elementwise_test, expr, tame, test
from .scope import Dim, Ex, Stuck, minus
from .statements import bind_result

WIDEST = 16  # of matrices that are solved: 3 I plus entries of at most 0.1 stays well conditioned


def called(fn):
    """A call of the library whose result has a name from here on."""
    kind, make = fn.one(BLOCKS)
    ex, shape, dtype = make(fn, fn.dtype())
    ex = tame(fn, ex, 4.0, dtype)
    name = fn.fresh("t" if not shape else "w" if len(shape) == 1 else "B")
    fn.emit(f"{name} = {ex.text}")
    bind_result(fn, name, ex, shape, dtype)
    fn.note(f"library, {kind}")


def small(fn, shape, dtype, limit=1.5):
    return expr(fn, shape, dtype, 1, limit=limit, strong=True).text


def a_shape(fn, *ranks):
    return fn.one([v.shape for v in fn.arrays() if len(v.shape) in ranks])


# -- complex numbers


def complex_numbers(fn, dtype):
    """z of real parts, changed a few times, and a real number of it; its magnitude stays below 3."""
    shape = fn.one([(), a_shape(fn, 1, 2), a_shape(fn, 1, 2)])
    a, b = small(fn, shape, dtype), small(fn, shape, dtype)
    z = fn.fresh("z")
    made = fn.one((f"{a} + 1j * {b}", f"{a} + 1j * {b}", f"({a} - 0.4j) * np.exp(1j * {b})",
                   f"np.exp(0.3 * {a} + 1j * {b})", f"np.exp(1j * {a}) + {b}"))
    fn.emit(f"{z} = {made}")
    for _ in range(fn.rng.choice((0, 1, 1, 2))):
        fn.attempt([
            (3, lambda: fn.emit(f"{z} = {changed(fn, z)}")),
            (2 if shape else 0, lambda: complex_store(fn, z, shape, dtype)), (1, lambda: chosen(fn, z, shape, dtype))])
    return real_part(fn, z, shape, dtype)


def changed(fn, z):
    """Functions that keep the disk of radius 3 within itself, and away from their poles and cuts."""
    return fn.one((
        "0.3 * {z} * {z}", "{z} / (4.5 + {z})", "np.conj({z})", "{z}.conj()", "np.exp(0.3 * {z})", "np.sqrt({z} + 4.5)",
        "np.sin(0.4 * {z})", "0.6j * {z} + 0.3", "0.3 * {z} ** 2", "np.log({z} + 4.5)", "np.multiply({z}, 0.5 - 0.5j)",
        "({z} - np.conj({z})) / 2.0", "np.tanh(0.3 * {z})", "-{z}")).format(z=z)


def complex_store(fn, z, shape, dtype):
    """Into an array of complex numbers, which here no other name shares."""
    if fn.lo(shape[0]) < 1:
        fn.emit(f"{z}[1:] *= {fn.one(('0.5j', '(0.6 - 0.2j)', '-0.7'))}")
        return
    value = small(fn, shape[1:], dtype) if shape[1:] or fn.chance(0.5) else "0.7"
    fn.emit(fn.one((f"{z}[0] = {value} * (0.5 + 1j)", f"{z}[-1] += 0.5j * {value}", f"{z}[::2] *= 0.8j",
                    f"{z}[0], {z}[-1] = {z}[-1] * 1j, 0.4 * {z}[0]", f"{z}[:1] = {z}[-1:].conj()")))


def chosen(fn, z, shape, dtype):
    if shape:
        fn.emit(f"{z} = np.where({elementwise_test(fn, shape, dtype)}, {z}, {fn.one(('0.5j', '0.3', '-1j'))} * {z})")
        return
    with fn.block(f"if {test(fn)}:"):
        fn.emit(f"{z} = {changed(fn, z)}")


def real_part(fn, z, shape, dtype):
    """(expression, shape, dtype) of a real value of z."""
    each = fn.one((
        "{z}.real", "np.real({z})",
        "{z}.imag", "np.imag({z})", "np.abs({z} + 4.5)", "abs(4.5 - {z})", "np.real({z} * np.conj({z}))",
        "({z} * {z}.conj()).real", "np.angle({z} + 4.5)", "np.imag(1j * {z} * {z})", "np.abs({z} - 4j) ** 2"))
    if not shape or fn.chance(0.5):
        return Ex(each.format(z=z), 10.0), shape, dtype
    whole = fn.one(("np.sum({z}).real", "np.imag({z}.sum())", "np.real(np.vdot({z}, {z}))", "np.linalg.norm({z} + 4.5)",
                    "np.real({z}.ravel() @ {z}.ravel())", "np.abs(4.5j + np.prod(0.3 * {z}))"))
    if "norm" in whole and not all(fn.lo(d) for d in shape):
        raise Stuck  # of nothing the norm is 0, where the root has no slope
    return Ex(whole.format(z=z), 40.0), (), dtype


def complex_loop(fn, dtype):
    """A complex number, or an array, that a loop fills."""
    var = fn.one([v for v in fn.arrays("f64") if len(v.shape) == 1])
    z, k, n = fn.fresh("z"), fn.fresh("k"), fn.length(var.shape[0])
    if dtype != "f64" or var.shape[0].hi * fn.trips > 100:
        raise Stuck
    if fn.chance(0.5):
        fn.emit(f"{z} = {fn.one(('0j', '0.5 + 0.2j', 'complex(0.3, 0.4)'))}")
        with fn.block(f"for {k} in range({n}):", 8, "for"):
            fn.emit(f"{z} = {z} * (0.3 + 0.4j) "
                    f"+ {fn.one((f'1j * np.tanh({var.name}[{k}])', f'np.exp(1j * {var.name}[{k}])'))}")
            if fn.chance(0.4):
                with fn.block(f"if {var.name}[{k}] > 0.37:"):
                    fn.emit(fn.one((f"{z} = {z}.conjugate()", "break", "continue", f"{z} = {z} * 1j")))
        return Ex(fn.one((f"{z}.real", f"{z}.imag", f"abs({z} + 4.5)", f"np.real({z} * {z})")), 9.0), (), dtype
    fn.emit(f"{z} = np.zeros({n}, dtype={fn.one(('complex', 'np.complex128'))})")
    with fn.block(f"for {k} in range({n}):", 8, "for"):
        item = f"{var.name}[{k}]"
        value = fn.one((f"np.sin({item}) + 1j * {k}", f"np.exp(1j * {item})",
                        f"0.5 * {z}[{k} - 1] + 1j * np.tanh({item})"))
        fn.emit(f"{z}[{k}] = {value}")
    return Ex(fn.one((f"np.sum({z} * {z}).real", f"np.abs(np.sum({z}) + 45.0)")), 100.0), (), dtype


# -- products, matrices


def einsum(fn, dtype):
    n, m, k = (fn.one(fn.dims()) for _ in range(3))
    texts, operands, shape = fn.one([
        (("i,i->i", "...,..."), [(n,), (n,)], (n,)),
        (("i,i->", "i,i"), [(n,), (n,)], ()), (("ij,j->i", "ij,j", "...j,j"), [(m, k), (k,)], (m,)),
        (("i,ij->j",), [(m,), (m, k)], (k,)), (("ij,kj->ik",), [(m, k), (n, k)], (m, n)),
        (("i,j->ij", "i,j"), [(n,), (m,)], (n, m)), (("ij->ji", "ba"), [(m, k)], (k, m)), (("ij->j",), [(m, k)], (k,)),
        (("ij->",), [(m, k)], ()), (("ij,ij->i",), [(m, k), (m, k)], (m,)), (("ii->", "ii"), [(n, n)], ()),
        (("ii->i", "...ii->...i"), [(n, n)], (n,)), (("i,ij,j->",), [(m,), (m, k), (k,)], ()),
        (("ij,jk->ki",), [(n, m), (m, k)], (k, n))])
    given = ", ".join(small(fn, s, dtype) for s in operands)
    more = fn.one(("", "", ", optimize=True"))
    return Ex(f"np.einsum('{fn.one(texts)}', {given}{more})", 30.0), shape, dtype


def matrix(fn, dtype):
    """(name, length) of 3 I + small: by an identity, or by a store along the diagonal."""
    n = fn.one([d for d in fn.dims() if d.hi <= WIDEST])
    K, entries, size = fn.fresh("K"), f"0.1 * {small(fn, (n, n), dtype, limit=1.0)}", fn.length(n)
    eye = f"np.eye({size}{', dtype=np.float32' if dtype == 'f32' else ''})"
    fn.emit(f"{K} = {fn.one((f'3.0 * {eye} + {entries}', f'{entries} - 3.0 * {eye}', entries))}")
    if "eye" not in fn.lines[-1]:
        fn.emit(fn.one((f"{K}[np.arange({size}), np.arange({size})] += 3.0", f"{K} += 3.0 * {eye}")))
    return K, n


def hermitian(K):
    return f"{K} @ {K}.T + 0.1j * ({K} - {K}.T)"


def solved(fn, dtype):
    K, n = matrix(fn, dtype)
    b, other = small(fn, (n,), dtype), fn.one(fn.dims())
    text, shape = fn.one([
        (f"np.linalg.solve({K}, {b})", (n,)), (f"np.linalg.solve({K}.T, {b})", (n,)),
        (f"np.linalg.solve({K}, {small(fn, (n, other), dtype)})", (n, other)), (f"np.linalg.inv({K})", (n, n)),
        (f"np.linalg.inv({K}) @ ({b})", (n,)), (f"np.linalg.cholesky({K} @ {K}.T)", (n, n)),
        (f"np.linalg.inv({K} + 0.3j * {K}.T).{fn.one(('real', 'imag'))}", (n, n)),
        (f"np.linalg.solve({K} * (1.0 + 0.5j), {b}).imag", (n,)),
        (f"np.linalg.cholesky({hermitian(K)}).{fn.one(('real', 'imag'))}", (n, n)),
        (f"np.linalg.pinv({K} - 0.2j * {K}.T).real", (n, n)),
        (f"np.linalg.matrix_power({K} / 3.0, {fn.one('0123')})", (n, n)),
        (f"({b}) @ np.linalg.solve({K} @ {K}.T, {b})", ())])
    return Ex(text, 5.0), shape, dtype


def measured(fn, dtype):
    """norm, det, slogdet, trace."""
    if fn.chance(0.5):
        shape = a_shape(fn, 1, 2)
        if not all(fn.lo(d) for d in shape):
            raise Stuck  # of nothing the norm is 0, where the root has no slope
        a = f"2.0 + {small(fn, shape, dtype)}"
        axis = fn.rng.randrange(len(shape))
        left = shape[:axis] + shape[axis + 1:]
        text, of = fn.one([(f"np.linalg.norm({a})", ()), (f"np.linalg.norm({a}, axis={axis})", left),
                           (f"np.linalg.norm({a}, {fn.one(('1', 'np.inf', '2'))}, {axis})", left)])
        return Ex(text, 25.0), of, dtype
    K, _ = matrix(fn, dtype)
    text = fn.one((f"np.linalg.det({K} / 3.0)",
                   f"np.linalg.slogdet({K} @ {K}.T)[1]", f"np.linalg.slogdet({K} / 3.0).logabsdet",
                   f"np.linalg.det({K} / 3.0 + 0.2j).{fn.one(('real', 'imag'))}",
                   f"np.linalg.slogdet({K} + 0.3j * {K}.T)[1]", f"np.trace({K})", f"np.linalg.trace({K} @ {K})"))
    return Ex(text, 30.0), (), dtype


# -- along an axis


def cumulative(fn, dtype):
    shape = a_shape(fn, 1, 1, 2)
    a = small(fn, shape, dtype, limit=1.0)
    most = max(d.hi for d in shape)
    if len(shape) == 2 and fn.chance(0.3):
        size = Dim(f"({shape[0].key}*{shape[1].key})", shape[0].lo * shape[1].lo, shape[0].hi * shape[1].hi)
        return Ex(f"np.cumsum({a})", float(size.hi)), (size,), dtype
    axis = fn.rng.randrange(len(shape))
    extra = "" if len(shape) == 1 else f", axis={axis}"
    if fn.chance(0.15):
        less = (*shape[:axis], minus(shape[axis], 1), *shape[axis + 1:])
        return Ex(f"np.diff({a}, axis={axis})", 2.0), less, dtype
    text, bound = fn.one([
        (f"np.cumsum({a}{extra})", most), (f"({a}).cumsum({extra[2:]})", most), (f"np.cumprod({a}{extra})", 1.0),
        (f"np.cumprod(np.cos({a}){extra})", 1.0), (f"({a}).cumprod({extra[2:]})", 1.0),
        (f"np.add.accumulate({a}{extra})", most), (f"np.maximum.accumulate({a}{extra})", 1.0)])
    return Ex(text, bound), shape, dtype


def rolled(fn, dtype):
    """Rolls, and stencils of several."""
    shape = a_shape(fn, 1, 1, 2, 2)
    a = small(fn, shape, dtype)
    if fn.chance(0.7):
        name = fn.fresh("z")
        fn.emit(f"{name} = {a} + 0.0")
        a = name

    def one():
        axis = fn.rng.randrange(len(shape))
        return fn.one((f"np.roll({a}, {fn.rng.randrange(-5, 6)}, axis={axis})",
                       f"np.roll({a}, {fn.one((-1, 1))}, {axis})", f"np.roll({a}, {fn.one((-2, 1, 3))})",
                       *[f"np.roll({a}, (1, -1), axis=(0, 1))"] * (len(shape) == 2)))

    terms = [one() for _ in range(fn.rng.randrange(1, 4))]
    return Ex("0.3 * (" + " + ".join([*terms, a]) + ")", 2.0), shape, dtype


def ordered(fn, dtype):
    shape = a_shape(fn, 1, 1, 2)
    a = small(fn, shape, dtype)
    if len(shape) == 1 and fn.chance(0.6):
        name, p = fn.fresh("z"), fn.fresh("p")
        fn.emit(f"{name} = {a} + 0.0")
        if fn.chance(0.4):
            fn.emit(f"{name}.sort()")
            return Ex(fn.one((f"{name} * 1.0", f"{name}[::-1] * 0.5")), 1.5), shape, dtype
        fn.emit(f"{p} = np.argsort({name}, kind='stable')")
        return (Ex(fn.one((f"{name}[{p}]", f"({small(fn, shape, dtype)})[{p}]", f"np.take({name}, {p}[::-1])")), 1.5),
                shape, dtype)
    extra = f", axis={fn.rng.randrange(len(shape))}" if len(shape) == 2 or fn.chance(0.2) else ""
    return Ex(fn.one((f"np.sort({a}{extra})", f"np.sort({a})", f"np.sort({a}{extra})[::-1]", f"-np.sort(-({a}))")),
              1.5), shape, dtype


# -- generators and lists


def generated(fn, dtype):
    """sum, max, any, ... of a generator: of nothing a sum is an int, so that it starts from 0.0."""
    if fn.mode != "f64":
        raise Stuck
    var = fn.one(fn.arrays())
    item, k, dim = fn.fresh("v"), fn.fresh("k"), var.shape[0]
    if fn.trips * dim.hi > 200:
        raise Stuck
    number = item if len(var.shape) == 1 else fn.one((f"np.sum({item})", f"{item} @ {item}", f"np.tanh({item}).sum()"))
    other = fn.one([v for v in fn.arrays() if v.shape == var.shape])
    source = fn.one((
        f"for {item} in {var.name}",
        f"for {item} in {var.name}", f"for {item}, {item}b in zip({var.name}, {other.name})",
        f"for {k}, {item} in enumerate({var.name})", f"for {k} in range({fn.length(dim)})"))
    number = number.replace(item, f"{var.name}[{k}]") if "range" in source else number
    term = fn.one(("{v} * {v}", "np.sin({v})", "0.5 * {v}", "np.tanh({v}) if {v} > 0.37 else 0.2",
                   "np.exp(-{v} * {v})")).format(v=f"({number})" if "@" in number else number)
    term += f" * np.sum({item}b)" if f"{item}b" in source else f" * {k}" if "enumerate" in source else ""
    where = fn.one(("", "", f" if {number} > {fn.one(('-0.31', '0.17'))}"))
    text = f"{term} {source}{where}"
    options = [f"sum(({text}), 0.0)", f"sum({text}) + 0.0", f"0.0 + sum([{text}])", f"sum(1.0 {source}{where})"]
    options += ([f"{fn.one(('max', 'min'))}({text})", f"max([{text}])"] if fn.lo(dim) and not where
                else [f"max(({text}), default=0.3)"])
    options += [f"(0.3 if {fn.one(('any', 'all'))}({number} > 0.23 {source}) else {small(fn, (), dtype)})"]
    return Ex(fn.one(options), 40.0), (), dtype


def listed(fn, dtype):
    """An array of a list comprehension."""
    var = fn.one([v for v in fn.arrays(dtype) if fn.lo(v.shape[0]) >= 1])
    item = fn.fresh("v")
    if fn.trips * var.shape[0].hi > 200:
        raise Stuck
    make = fn.one(("np.array", "np.stack", "np.asarray")) if var.shape[1:] else fn.one(("np.array", "np.asarray"))
    term = fn.one((f"np.sin({item})", f"{item} * 0.4", f"{item} * {item}"))
    return Ex(f"{make}([{term} for {item} in {var.name}])", max(var.cell.bound, 1.0) ** 2), var.shape, dtype


# -- Fourier transforms


def transformed(fn, dtype):
    """Spectra, filtered and given back; of one element at least."""
    shape = a_shape(fn, 1, 1, 2)
    n = shape[-1]
    if not all(fn.lo(d) >= 1 for d in shape):
        raise Stuck
    a, F, most = small(fn, shape, dtype), fn.fresh("z"), float(n.hi)
    if fn.chance(0.3):
        half = (*shape[:-1], Dim(f"({n.key}//2+1)", n.lo // 2 + 1, n.hi // 2 + 1))
        fn.emit(f"{F} = np.fft.rfft({a})")
        text, of = fn.one([(f"np.fft.irfft({F} * (0.5 + 0.2j), {fn.length(n)})", shape), (f"{F}.real", half),
                           (f"np.imag({F})", half), (f"np.sum({F} * np.conj({F})).real", ())])
        return Ex(text, 2 * most * most), of, dtype
    name = fn.one(("fft", "fft", "ifft", "fft2" if len(shape) == 2 else "fft"))
    fn.emit(f"{F} = np.fft.{name}({a}{fn.one(('', '', ', norm=' + repr('ortho')))})")
    far = 2 * most * shape[0].hi  # beyond the largest of them
    text, of = fn.one([
        (f"{F}.real", shape), (f"np.fft.ifft({F} * (0.7 - 0.3j)).real", shape),
        (f"np.fft.ifft({F} * ({small(fn, shape, dtype)})).imag", shape),
        (f"np.abs({F} + {far})", shape), (f"np.real({F} * np.conj({F}))", shape), (f"np.fft.fftshift({F}).imag", shape),
        (f"np.sum(({F} * {F}.conj()).real)", ())])
    return Ex(text, 2 * far), of, dtype


BLOCKS = (("complex", complex_numbers), ("complex", complex_loop), ("einsum", einsum), ("linalg", solved),
          ("linalg", measured), ("cumulative", cumulative), ("roll", rolled), ("roll", rolled), ("sort", ordered),
          ("generator", generated), ("generator", listed), ("fft", transformed))
