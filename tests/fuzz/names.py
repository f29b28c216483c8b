"""Functions of NumPy, SciPy, pandas and numba that ordinary programs call by name: counts that the run knows, tables,
record arrays, roots, splines, compiled helpers, attributes that are computed once."""

from .containers import number, only_double, vector
from .reads import literal
from .scope import Ex, const


def by_counts(fn, dtype):
    """Arrays that are repeated, padded, cut and turned as often as an index says."""
    only_double(fn)
    var = vector(fn, dtype)
    i = fn.one(["1", "2", *(f"{i.name} % 3" for i in fn.ints.values())])
    a = number(fn, dtype)
    text = fn.one(("np.sum(np.roll({v}, {i}) * {v})", "np.sum(np.tile({v}, {i}) * {a})",
                   "np.sum(np.pad({v}, {i}) ** 2)", "np.sum(np.repeat({v} * {a}, {i}))",
                   "np.sum(np.pad({v}, ({i}, 0), mode='edge'))", "np.sum(np.vstack([{v}, {v} * {a}])[{i} % 2])",
                   "np.real_if_close(np.sum({v} * (1.0 + 0j)))", "np.sum(np.reshape({v}, -1, order='F') * {a})"))
    return Ex(text.format(v=var.name, i=i, a=a), 60.0)


FRAME = "FRAME = pd.DataFrame({'mass': [0.5, 1.5, 0.75], 'n': [2, 1, 3]})"


def framed(fn, dtype):
    """Columns of a table from outside."""
    only_double(fn)
    fn.everyday["FRAME"] = FRAME
    a = number(fn, dtype)
    i = fn.one(["0", "-1", *(f"{i.name} % 3" for i in fn.ints.values())])
    if fn.chance(0.2):
        return Ex(f"FRAME.mass.values + {a}", 4.0), (const(3),)
    return Ex(fn.one((f"np.sum(FRAME['mass'].values * ({a}))", f"FRAME['mass'].to_numpy()[{i}] * ({a})",
                      f"len(FRAME) * 0.2 * ({a})", f"FRAME[['mass', 'n']].values[{i}, 0] - {a}")), 6.0)


RECORDS = ("ROWS = np.rec.array([(0.5, 2, 0.25), (1.5, 1, -0.5), (0.75, 3, 1.0)], "
           "dtype=[('mass', float), ('n', int), ('at', float)])")


def rows(fn, dtype):
    """A record array, whose fields are attributes."""
    only_double(fn)
    fn.everyday["ROWS"] = RECORDS
    a = number(fn, dtype)
    i = fn.one(["0", "-1", *(f"{i.name} % 3" for i in fn.ints.values())])
    if fn.chance(0.3):
        return Ex(f"ROWS.at * ({a}) + ROWS['mass']", 4.0), (const(3),)
    return Ex(fn.one((f"np.sum(ROWS.mass * np.sin({a} - ROWS.at))", f"ROWS[{i}].mass * ({a})")), 6.0)


def of_scipy(fn, dtype):
    only_double(fn)
    a, b = number(fn, dtype), number(fn, dtype)
    text = fn.one(("special.lambertw(abs({a}) + 0.2).real", "float(interpolate.splev(abs(np.tanh({a})), TCK))",
                   "np.sum(np.abs(np.roots([1.0, {a}, -2.0 - np.cos({b})])))",
                   "np.sum(np.sort(np.array([{a}, {b}, 0.3]))[:2])",
                   "np.sum(np.linalg.eigvals(np.array([[{a}, 1.0], [0.5, {a} + 3.0]])).real ** 2)",
                   "np.linalg.cond(np.array([[3.0 + np.cos({a}), 0.2], [0.1, 2.0]]), 'fro')",
                   "np.asarray(None, dtype=float) * 0.0 + {a} if False else {a} * 0.7"))
    if "TCK" in text:
        fn.everyday["TCK"] = "TCK = interpolate.splrep(np.linspace(0.0, 1.0, 7), np.cos(np.linspace(0.0, 3.0, 7)))"
    return Ex(text.format(a=a, b=b), 60.0)


def stacked(fn, dtype):
    """A stack whose items rise, or fall, from the bottom to the top; a list that is begun anew."""
    only_double(fn)
    var, p, v, s = vector(fn, dtype), fn.fresh("p"), fn.fresh("v"), fn.fresh("s")
    fn.emit(f"{p}, {s} = [], 0.1")
    fn.emit(f"for {v} in {var.name}:")
    if fn.chance(0.6):
        fn.emit(f"    while {p} and {p}[-1] {fn.one(('<', '>', '<=', '>='))} {v} + 0.013:")
        fn.emit(f"        {fn.one((f'{s} += 0.3 * {p}.pop()', f'{p}.pop()', f'del {p}[-1]'))}")
    else:
        fn.emit(f"    if {v} {fn.one('<>')} {literal(fn).text}:")
        fn.emit(f"        {s} += 0.2 * sum({p})")
        fn.emit(f"        {fn.one((f'{p} = []', f'{p}.clear()', f'{p} = [{v}]'))}")
    fn.emit(f"    {p}.append({v})")
    if fn.chance(0.4):
        fn.emit(f"{p}{fn.one(('.sort()', '.reverse()', '[:1] = [0.4, 0.3]', '.sort(reverse=True)', ' += [0.2]'))}")
    return Ex(fn.one((f"{s} + len({p}) * 0.1", f"{s} + sum({p})", f"({p}[-1] if {p} else {s})",
                      f"{s} + sum(u * w for u, w in zip({p}, {p}[1:]))", f"{s} * (1 + len({p}))")), 60.0)


GAUGE = """class Gauge:
    def __init__(self, at):
        self.at = at

    @functools.cached_property
    def level(self):
        return np.exp(-self.at * self.at)"""
VECTORIZED = """@numba.vectorize
def clipped(v):
    return v * 0.5 if v > 0.37 else v - 0.185"""
COPIED = """def halving(v, k=2):
    return v / k


third = types.FunctionType(halving.__code__, globals(), 'third', (3,))"""


def helpers(fn, dtype):
    """A property that is kept, a copy of a function, one that numba makes a ufunc of."""
    only_double(fn)
    a = number(fn, dtype)
    kind = fn.rng.randrange(12)
    if kind == 0:
        fn.everyday["clipped"] = VECTORIZED
        return Ex(f"clipped({a})", 2.0)
    if kind < 6:
        fn.everyday["third"] = COPIED
        return Ex(f"third({a})", 1.0)
    fn.everyday["Gauge"] = GAUGE
    g = fn.fresh("g")
    fn.emit(f"{g} = Gauge({a})")
    return Ex(fn.one((f"{g}.level", f"{g}.level * {g}.level", f"{g}.level + {g}.at")), 3.0)


BLOCKS = (("counts of the run", by_counts), ("table of pandas", framed), ("record array", rows), ("SciPy", of_scipy),
          ("stack", stacked), ("stack", stacked), ("kept, copied, vectorised", helpers))
