"""What ordinary programs do between their formulas: lists that loops fill and shorten, `collections`, heaps, records,
methods of ufuncs, an array or a number as a branch says, warnings, checks. Lines of templates, tried by Python as all
else is."""
from .nested import indented

MODULES = ["bisect", "cmath", "collections", "fractions", "heapq", "logging", "numba", "statistics", "time", "types",
           "warnings"]
TOP = """\
import pandas as pd
from scipy import interpolate, special
from tqdm import tqdm


class Failed(Exception):
    pass


Pair = collections.namedtuple('Pair', ['at', 'weight'])
RECORDS = np.array([(0.5, 2, 0.25), (1.5, 1, -0.5), (0.75, 3, 1.0)], dtype=[('mass', float), ('n', int), ('at', 'f8')])
FRAME = pd.DataFrame({'mass': [0.5, 1.5, 0.75], 'n': [2, 1, 3]})
"""
TOP_NAMES = ["Failed", "Pair", "RECORDS", "FRAME", "pd", "interpolate", "special", "tqdm"]

# lines that fill {s}, a list; {v} is an item of the loop
FILLS = """
{s}.append({num})
{s}.append(v)
{s}.append((v, {num}))
{s}.append([{num}])
{s} += [{num}, v]
{s}.insert(0, {num})
{s}.append({s}[-1] + {num} if {s} else {num})
{s} = [u for u in {s} if u != {num}] + [{num}]
if len({s}) > 2: {s}.pop(0)
if {s}: {s}.pop()
if v in {s}: {s}.remove(v)
if len({s}) > 1: del {s}[1:]
{s} = {s}[-2:]
if {flag}: continue
if {flag}: break
if {flag}: {s}.append({num})
if {s} and {flag}: {s}[-1] = {num}
""".strip().splitlines()
USES = """
{t} = sum({s}, 0.0)
{t} = np.array({s})
{t} = len({s})
{t} = {s}[-1] if {s} else {num}
{t} = max({s}, default=0.5)
{t} = sorted({s})[:2]
{t} = {s}.count({num})
{t} = {s}.index({num}) if {num} in {s} else -1
{t} = [u * 2 for u in {s}]
{t} = sum(u * w for u, w in zip({s}, {s}[1:]))
{t} = np.sum({s})
{t} = {s}[::-1]
{t} = {num} in {s}
{t} = np.mean({s}) if len({s}) > 0 else {num}
{t} = {s} == [{num}]
""".strip().splitlines()
# several lines, joined by "; "
BLOCKS = """
{s} = collections.deque([{num}, {num}], maxlen=2); {s}.append({num}); {t} = {s}[0] + {s}[-1]
{s} = collections.deque({list}); {s}.appendleft({num}); {s}.rotate({small}); {t} = list({s})
{s} = collections.deque(maxlen=2); for v in {iterable}: {s}.append(v); {t} = len({s}) + sum({s})
{s} = collections.defaultdict(float); for j, v in enumerate({iterable}): {s}[j % 2] += v; {t} = dict({s})
{s} = collections.defaultdict(list); for j, v in enumerate({list}): {s}[j % 2].append(v); {t} = list({s}.items())
{s} = collections.defaultdict(int); {s}[{key}] += 1; {t} = len({s})
{s} = collections.Counter({word}); {t} = {s}.most_common(1)
{s} = collections.Counter([1, 2, 1, {small}]); {t} = {s}[1] * {num}
{s} = collections.OrderedDict(a={num}, b={num}); {s}.move_to_end('a'); {t} = list({s}.items())
{s} = Pair({num}, {num}); {s} = {s}._replace(at={num}); {t} = {s}.at * {s}.weight
{s} = [Pair({num}, {num}), Pair({num}, 1.5)]; {t} = sorted({s})[0]
{s} = [Pair(v, {num}) for v in {list}]; {t} = max({s}, key=lambda u: u.weight).at
{s} = [{float}, {float}, {float}]; heapq.heapify({s}); {t} = heapq.heappop({s}); heapq.heappush({s}, {float})
{s} = [({float}, 1), ({float}, 2)]; heapq.heapify({s}); heapq.heappush({s}, ({float}, 3)); {t} = heapq.heappop({s})
{s} = []; for v in {list}: heapq.heappush({s}, v); {t} = [heapq.heappop({s}) for _ in range(len({s}))]
{t} = heapq.nsmallest(2, [{float}, {float}, {float}])
{s} = sorted([{float}, {float}, {float}]); bisect.insort({s}, {float}); {t} = {s}[1:]
{s} = sorted({list}); {t} = bisect.bisect({s}, {num})
{s} = [0.5, 1.0, 2.5]; {t} = bisect.bisect_left({s}, {num}) + bisect.bisect_right({s}, {num}) * {num}
{s} = {{'a': {num}}}; {s}.setdefault('b', {num}); {t} = {s}.pop('a') + {s}.get('c', {num})
{s} = {{}}; for k, v in {dict}.items(): {s}[k] = v; {t} = list({s})
{s} = {{1: {num}, 2: {num}}}; for k in list({s}): {s}[k] = {s}[k] * 2; {t} = sum({s}.values())
{t} = np.sum(RECORDS['mass'] * {num})
{t} = RECORDS['at'][{small} % 3] + {num}
{t} = RECORDS['at'] * {some}
{t} = [u['mass'] * {num} for u in RECORDS if u['n'] > 1]
{s} = RECORDS[1]; {t} = {s}['mass'] * {num} + {s}['n']
{s} = RECORDS.view(np.recarray); {t} = {s}.mass * {num} + {s}[1].at
{t} = FRAME['mass'].values * {num}
{t} = FRAME['mass'].to_numpy()[{small} % 3] + {num}
{t} = np.sum(FRAME.mass.values * {some})
{t} = special.lambertw(abs({num})).real
{t} = interpolate.splev({float}, ([0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0], {list}, 3))
{t} = sorted(zip({list}, {list}))[0]
{t} = [u for _, u in sorted(zip({list}, {list}), key=lambda u: u[0], reverse={flag})]
{t} = dict(zip('abc', {list}))
{s} = time.perf_counter(); {t} = {num} * 2
{s} = 0.0; for v in tqdm({iterable}, disable=True): {s} += v; {t} = {s}
{t} = np.lib.stride_tricks.sliding_window_view({array}, 2).sum(axis=-1)
{t} = np.{pairwise}.accumulate({array})
{t} = np.{pairwise}.outer({array}, {some})
{t} = np.{pairwise}.reduce({array})
{t} = np.{pairwise}.reduce({array}, axis=0, keepdims=True)
{t} = np.{pairwise}.reduceat({array}, [0, {small}])
{s} = np.array({array}); np.{pairwise}.at({s}, {small}, {num}); {t} = {s} * 1
{s} = np.array({array}); np.add.at({s}, [0, 0, -1], {num}); {t} = {s}.sum()
{t} = np.asanyarray({any}) * {num}
{t} = np.array({array}, copy=None)[({small}, ...)]
{t} = {array}[:, (0, 1)]
{t} = {array}[(0, 1), ]
{s} = np.asarray({num}) * 1.0; {s}[{s} > {num}] = 0.5; {t} = {s} + 1
{s} = np.array([[None] * 2]); {t} = {s}.shape
{s} = {array} * 2 if {flag} else {num}; {t} = {s} + {some}
{s} = 0.0; if {flag}: {s} = {s} + {array}; {t} = np.sum({s}) * {num}
{s} = {num}; for v in {iterable}: {s} = {s} + v * {array}; {t} = {s}
warnings.warn('user'); {t} = {num}
warnings.warn(f'at {{{num}}}', RuntimeWarning)
logging.getLogger('fuzz').debug('at %s', {num})
logging.info(f'{{{num}}}')
np.testing.assert_allclose({some}, {some})
np.testing.assert_equal({num}, {num})
assert np.all(np.isfinite({array})), 'user: not finite'
{t} = statistics.mean([1.5, 2.0, 4.5]) * {num}
{t} = float(fractions.Fraction(1, 3)) * {num}
{t} = abs(cmath.exp(1j * 0.5)) + {num}
{t} = cmath.phase(1 + 2j) * {num}
{t} = statistics.median({list})
""".strip().splitlines()
PAIRWISE = ["add", "multiply", "subtract", "maximum", "minimum", "logaddexp", "hypot", "divide", "logical_or",
            "power", "add"]

HELPERS = [
    ["def NAME(p):", "    if p < 0:", "        return SIGNNAME(-p)", "    return {num}"],
    ["def NAME(p, m=0):", "    if p < 1 or m > 3:", "        return {num}", "    return NAME(p * 0.5, m + 1) + {num}"],
    ["def NAME(p):", "    if {flag}:", "        raise Failed('user: helper')", "    return {num}"],
    ["def NAME(p):", "    try:", "        return 1 / p + {num}", "    except ZeroDivisionError:",
     "        return {num}"],
    ["def NAME(p):", "    out = []", "    for j in range(3):", "        if {flag}:", "            continue",
     "        out.append({num})", "    return out"],
    ["@functools.singledispatch", "def NAME(p):", "    return {num}", "", "@NAME.register(np.ndarray)", "def _(p):",
     "    return np.sum(p) * 2", "", "@NAME.register", "def _(p: int):", "    return p + 1"],
]


class Ordinary:
    """What a block has to do with them."""

    def a_pairwise(self, depth):
        return self.rng.choice(PAIRWISE)

    def ordinary(self, depth):
        line, store, target = self.rng.choice(BLOCKS), self.target(0.9), self.target(0.8)
        if store == target:
            return None
        line = self.written(line.replace("{s}", store).replace("{t}", target))
        return line and line.split("; ")

    def filled(self, depth):
        """A list that a loop fills and shortens, and a use of it."""
        rng, store, counter = self.rng, self.target(1.0), "v"
        over = self(rng.choice(["iterable", "array", "array", "list"]), 1)
        try:
            first = next(iter(over.value))
        except Exception:
            return None
        start = rng.choice(["[]", "[]", "[]", "[{num}]", "list({iterable})"])
        start = self.written(start)
        if start is None:
            return None
        with self.binding({counter: first, store: [1.5, 2.0]}):
            body = [self.written(line.replace("{s}", store)) for line in rng.sample(FILLS, rng.choice([1, 2, 2, 3]))]
            if None in body:
                return None
            body += self.part(depth) if rng.random() < 0.2 else []
            use = self.written(rng.choice(USES).replace("{s}", store).replace("{t}", self.target(1.0)))
        return use and [f"{store} = {start}", f"for {counter} in {over.text}:", *indented(body), use]
