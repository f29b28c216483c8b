"""Lists that loops fill, dicts, the containers of `collections`, heaps, of numbers."""

from .expressions import expr, test
from .reads import literal
from .scope import Ex, Stuck


def only_double(fn):
    """For what makes Python's numbers or arrays of float64."""
    if fn.mode != "f64":
        raise Stuck


def number(fn, dtype, limit=1.5):
    return expr(fn, (), dtype, 1, limit=limit, strong=True).text


def numbers(fn, dtype, count):
    """So many numbers, by names: what is compared may not be equal, and so all differ."""
    names = []
    for k in range(count):
        names.append(fn.fresh("n"))
        fn.emit(f"{names[-1]} = {number(fn, dtype)} + {(k + 1) * 0.137:.3f}")
    return names


def vector(fn, dtype):
    var = fn.one([v for v in fn.arrays(dtype) if len(v.shape) == 1 and v.shape[0].hi <= 16])
    if fn.trips * var.shape[0].hi > 100:
        raise Stuck
    return var


# -- lists


def filled(fn, dtype):
    """A list that a loop fills, after a `continue`, until a `break`, and takes items off."""
    only_double(fn)
    var, path, v, k, base = vector(fn, dtype), fn.fresh("path"), fn.fresh("v"), fn.fresh("k"), fn.indent
    fn.emit(f"{path} = {fn.one(('[]', '[]', f'[{number(fn, dtype)}]'))}")
    over = fn.one((f"{v} in {var.name}", f"{k}, {v} in enumerate({var.name})", f"{k} in range(len({var.name}))"))
    item = v if v in over else f"{var.name}[{k}]"
    if fn.chance(0.2):
        fn.emit(f"for {fn.fresh('j')} in range(2):")
        fn.indent += 1
    fn.emit(f"for {over}:")
    fn.indent += 1
    if fn.chance(0.6):
        fn.emit(f"if {item} {fn.one('<>')} {literal(fn).text}:")
        fn.emit(f"    {fn.one(('continue', 'break', 'continue', f'{path}.append(0.3)'))}")
    fn.emit(fn.one((f"{path}.append({item} * 0.5)", f"{path}.append(np.sin({item}))", f"{path} += [{item}]",
                    f"{path}.append({path}[-1] * 0.5 + {item} if {path} else {item})",
                    f"{path}.append(float({item}))")))
    if fn.chance(0.35):
        fn.emit(f"if len({path}) > {fn.one('234')}{fn.one(('', f' and {path}[-1] > {literal(fn).text}'))}:")
        fn.emit("    " + fn.one(("{p}.pop()", "{p}.pop(0)", "del {p}[0]", "{p} = {p}[1:]", "break", "{p}.pop(1)",
                                 "{p} = [u for u in {p} if u > 0.17]", "{p}[0] = 0.2", "{p}.clear()")).format(p=path))
    fn.indent = base
    text = fn.one(("sum({p}) + 0.0", "np.sum(np.array({p}))", "({p}[-1] if {p} else 0.3)", "len({p}) * 0.1",
                   "max({p}, default=0.2)", "sum(u * u for u in {p}) + 0.1", "sum({p}) / (1 + len({p}))",
                   "sum(sorted({p})[:2]) + 0.0", "sum({p}[1:]) + 0.0", "np.sum([np.cos(u) for u in {p}])",
                   "sum(u * w for u, w in zip({p}, {p}[1:])) + 0.0", "(1.0 if 0.5 in {p} else 0.2)"))
    return Ex(text.format(p=path), 20.0)


def short_list(fn, dtype):
    """A list of known length, and what is done to it."""
    only_double(fn)
    a, b, c = numbers(fn, dtype, 3)
    p = fn.fresh("p")
    fn.emit(f"{p} = [{a}, {b}, {c}]")
    i = fn.one(["0", "1", "2", *(i.name for i in fn.ints.values())])
    for _ in range(fn.rng.randint(1, 3)):
        fn.emit(fn.one((f"{p}.insert({fn.one('012')}, {a} * 0.5)", f"{p}.append({b} - 0.2)", f"{p}[1:2] = [{a}, 0.3]",
                        f"{p}.sort()", f"{p}.reverse()", f"{p}.remove({a})", f"del {p}[0]", f"{p} = {p} + [{c}, {c}]",
                        f"{p}.extend([{b} * 0.3])", f"{p} = sorted({p}, key=lambda u: -u)", f"{p} = {p}[::-1]",
                        f"{p}.pop({fn.one(('', '0', '-1'))})", f"{p}[0], {p}[-1] = {p}[-1], {p}[0]",
                        f"{p} = [u * 0.5 for u in {p} if u > 0.2] + [{a}]", f"if {test(fn)}: {p}.append({c})",
                        f"if {a} > {b}: {p}.pop()")))
    text = fn.one(("{p}[0]", "sum({p}) + 0.0", "{p}.index({p}[-1]) * 0.2", "{p}.count({b}) * 0.3 + {a}",
                   "max({p}, default=0.1)",
                   "({c} if {b} in {p} else {a})", "np.sum(np.array({p}) ** 2)", "{p}[-1] * len({p})",
                   "sum(u * (k + 1) for k, u in enumerate({p})) + 0.0", "{p}[" + f"{i} % max(len({{p}}), 1)" + "]"))
    return Ex(text.format(p=p, a=a, b=b, c=c), 20.0)


def pairs(fn, dtype):
    """A list of tuples, sorted or chosen by a key, or filled by a loop."""
    only_double(fn)
    p = fn.fresh("p")
    if fn.chance(0.5):
        var = vector(fn, dtype)
        fn.emit(f"{p} = []")
        fn.emit(f"for k, v in enumerate({var.name}):")
        if fn.chance(0.5):
            fn.emit(f"    if v > {literal(fn).text}:")
            fn.emit("        continue")
        fn.emit(f"    {p}.append(({fn.one(('k', 'v', '0.5 * v'))}, np.sin(v)))")
        return Ex(fn.one((f"sum(a * b for a, b in {p}) + 0.0", f"len({p}) * 0.1", f"({p}[-1][1] if {p} else 0.2)",
                          f"np.sum(np.array([b for _, b in {p}]))", f"max([b for a, b in {p}], default=0.3)")), 30.0)
    a, b, c = numbers(fn, dtype, 3)
    fn.emit(f"{p} = [({a}, 1), ({b}, {a}), ({c}, 0.4)]")
    fn.emit(fn.one((f"{p}.sort()", f"{p} = sorted({p}, key=lambda q: q[0])", f"{p}.append(({c} * 0.5, {b}))",
                    f"{p} = sorted(zip([{a}, {b}], [{c}, 0.2]))", f"{p} = {p}[1:]", f"{p}.insert(0, {p}.pop())")))
    return Ex(fn.one((f"sum(u * w for u, w in {p}) + 0.0", f"max({p}, key=lambda q: q[0])[1] * 1.0",
                      f"{p}[0][1] * 0.5",
                      f"min({p})[0]", f"sum([q[0] for q in {p}][:2])")), 20.0)


# -- dicts, collections


def table(fn, dtype):
    a, b = numbers(fn, dtype, 2)
    d = fn.fresh("d")
    fn.emit(f"{d} = " + fn.one((f"{{'a': {a}, 'b': {b}}}", f"dict(a={a}, b={b})",
                                f"dict(zip(('a', 'b'), ({a}, {b})))")))
    if fn.chance(0.3):
        only_double(fn)
        fn.emit(f"{d} = collections.OrderedDict({d})")
        fn.emit(f"{d}.move_to_end('a')")
    for _ in range(fn.rng.randint(1, 2)):
        fn.emit(fn.one((f"{d}['a'] += {b}", f"{d}.setdefault('c', {a} * {b})",
                        f"{d}['b'] = {d}.pop('a') + {d}.get('b', {a})",
                        f"{d}.update(c={a})", f"{d}['c'] = {d}.get('z', {b})", f"if {test(fn)}: {d}['a'] = {b}",
                        f"for k in {d}: {d}[k] = {d}[k] * 0.5", f"{d} = {{k: u * 0.7 for k, u in {d}.items()}}")))
    fn.emit(f"{d}.setdefault('a', {a})")
    return Ex(fn.one((f"sum({d}.values())", f"{d}['a']", f"{d}.get('c', {a})", f"max({d}.values())",
                      f"{d}.pop('a') * 0.5",
                      f"{d}[max({d}, key={d}.get)]", f"sum(u * (k + 1) for k, (w, u) in enumerate({d}.items()))")),
              20.0)


def counted(fn, dtype):
    """defaultdict and Counter: of what is known, and by what a loop that is written out finds."""
    only_double(fn)
    a, b = numbers(fn, dtype, 2)
    d = fn.fresh("d")
    if fn.chance(0.5):
        fn.emit(f"{d} = collections.defaultdict({fn.one(('float', 'float', 'lambda: 0.3'))})")
        fn.emit(f"for k, u in ((0, {a}), (1, {b}), (0, {b})):")
        fn.emit(f"    {d}[k] += {fn.one(('u', 'u * u', 'np.sin(u)'))}")
        return Ex(fn.one((f"{d}[0] * 0.5 + {d}[1]", f"sum({d}.values())", f"{d}[5] + {d}[0]", f"len({d}) * {a}")),
                  20.0)
    if fn.chance(0.5):
        fn.emit(f"{d} = collections.defaultdict(list)")
        fn.emit(f"for k, u in (('p', {a}), ('q', {b}), ('p', {b})):")
        fn.emit(f"    {d}[k].append(u)")
        return Ex(f"sum(max(u) * len(u) for u in {d}.values())", 20.0)
    fn.emit(f"{d} = collections.Counter({fn.one((repr('abca'), '[1, 2, 1]', 'k % 2 for k in range(5)'))})")
    return Ex(fn.one((f"{d}.most_common(1)[0][1] * {a}", f"sum(c * {b} for c in {d}.values())", f"{d}['z'] + {a}",
                      f"len({d}) * {b}")), 20.0)


def queued(fn, dtype):
    """deque with a greatest length: the last of a loop."""
    only_double(fn)
    var, q = vector(fn, dtype), fn.fresh("q")
    fn.emit(f"{q} = collections.deque({fn.one(('maxlen=3', 'maxlen=2', '[0.1, 0.2], maxlen=2', '[0.4]'))})")
    if "maxlen" not in fn.lines[-1]:
        a, b = numbers(fn, dtype, 2)
        fn.emit(fn.one((f"{q}.append({a})", f"{q}.appendleft({a})", f"{q}.extend([{a}, {b}])")))
        fn.emit(fn.one((f"{q}.rotate(1)", f"{q}.appendleft({q}.pop())", f"{q}[0] = {b}")))
        return Ex(fn.one((f"{q}.popleft()", f"{q}[-1]", f"sum({q})", f"{q}.pop() * 0.5")), 20.0)
    fn.emit(f"for v in {var.name}:")
    if fn.chance(0.3):
        fn.emit(f"    if v > {literal(fn).text}:")
        fn.emit("        continue")
    fn.emit(f"    {q}.append({fn.one(('v', 'v * 0.5', f'v + 0.3 * sum({q})'))})")
    return Ex(fn.one((f"sum({q}) + 0.0", f"len({q}) * 0.1", f"({q}[-1] if {q} else 0.2)",
                      f"sum({q}) / (1 + len({q}))")),
              20.0)


def heaped(fn, dtype):
    """Few items: a program compares them each way that the run may decide."""
    only_double(fn)
    a, b = numbers(fn, dtype, 2)
    c, h = number(fn, dtype) + " + 0.05", fn.fresh("q")
    if fn.chance(0.5):
        fn.emit(f"{h} = sorted([{a}, {b}])")
        if fn.chance(0.5):
            fn.emit(f"bisect.insort({h}, {c})")
        return Ex(fn.one((f"bisect.bisect({h}, {literal(fn).text}) * 0.2", f"{h}[bisect.bisect_left({h}, {b})]",
                          f"{h}[1]", f"{a} * bisect.bisect_right({h}, {c})")), 20.0)
    item = fn.one(("{0}", "({0}, {1})"))
    fn.emit(f"{h} = [{item.format(a, 0)}, {item.format(b, 1)}]")
    fn.emit(f"heapq.heapify({h})")
    if fn.chance(0.4):
        fn.emit(f"heapq.heappush({h}, {item.format(c, 5)})")
    first = "" if item == "{0}" else "[0]"
    return Ex(fn.one((f"heapq.heappop({h}){first}", f"heapq.nsmallest(2, {h})[1]{first}", f"{h}[0]{first}",
                      f"heapq.heapreplace({h}, {item.format(b + ' * 0.5', 6)}){first}",
                      f"heapq.nlargest(1, {h})[0]{first}")), 20.0)


def named(fn, dtype):
    fn.everyday["Pair"] = "Pair = collections.namedtuple('Pair', 'at weight')"
    a, b = numbers(fn, dtype, 2)
    p = fn.fresh("p")
    fn.emit(f"{p} = {fn.one((f'Pair({a}, {b})', f'Pair(at={a}, weight=0.4)', f'Pair._make([{b}, {a}])'))}")
    if fn.chance(0.4):
        fn.emit(fn.one((f"{p} = {p}._replace(at={p}.at * 0.5)", f"if {test(fn)}: {p} = Pair({p}.at, {a})")))
    return Ex(fn.one((f"{p}.at * {p}.weight", f"{p}[0] + {p}.at", f"{p}._asdict()['at']",
                      f"{p}.at if {p}.weight > 0.31 else {a}")),
              20.0)
