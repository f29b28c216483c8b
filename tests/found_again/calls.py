"""Arguments of functions, exceptions, crashes."""
from .patching import finding, put, swap

S = "transformer/specialise/"

FINDINGS = [
    finding("`np.linspace` of arrays took their first elements", "signatures np.linspace",
            swap("transformer/library/creation.py", "    delta = stop - start\n",
                 "    start, stop = [x if np.ndim(x) == 0 else np.ravel(x)[0] for x in (start, stop)]\n"
                 "    delta = stop - start\n"),
            put(S + "evaluator/arrays/signatures.py", "def agrees(s, result, answer):\n    return True")),
    finding("an argument that is not implemented was ignored",
            "signatures np.logaddexp.reduce; signatures np.intersect1d",
            swap(S + "evaluator/arrays/signatures.py",
                 "    if not any(given is x for x in (default, *HARMLESS.get(parameter, ()))):", "    if False:")),
    finding("`raise ValueError(f\"bad {x}\")` said `bad {x}`", "table raise; independent",
            swap(S + "evaluator/names/problems.py", "                first = len(values)\n",
                 "                return \"constant\", x.template\n                first = len(values)\n")),
    finding("`getattr(x, \"shape\", default)` was the default",
            "table getattr: getattr({}, 'shape', 5); independent ~ getattr",
            swap(S + "builtins/builtin_api.py",
                 "    found = functools.partial(attribute, s, x, known)\n    or_else",
                 "    if default is not None and isinstance(x, v.Array):\n        return default\n"
                 "    found = functools.partial(attribute, s, x, known)\n    or_else")),
    finding("`math.sin(inf)` raised nothing", "table math.sin",
            swap(S + "builtins/math_api.py", "    if wrong is not None:\n",
                 "    if wrong is not None and wrong is not infinite:\n")),
    finding("`float(np.array([2.5]))` raised another exception than NumPy's", "table float; independent",
            swap(S + "builtins/math_api.py", "            args = [as_number(s, x, *methods) for x in args]\n",
                 "            args = [as_number(s, x, *methods) for x in args]\n"
                 "            if f is float and any(s.is_numeric(x) and s.type(x).rank for x in args):\n"
                 "                s.stop(\"ValueError\", \"no number\")\n")),
    finding("a wrong call was an UnsupportedError and no TypeError", "table program: functions; independent",
            refused=True, *[
                    swap(S + "evaluator/syntax/calls.py",
                         "    bound = python(s, function, *args, **kwargs)\n    *_, rest",
                         "    try:\n        bound = function(*args, **kwargs)\n    except TypeError as error:\n"
                         "        s.fail(f\"put back: {error}\", \"\")\n    *_, rest")]),
    finding("a compiled store into a read-only array was numba's TypingError",
            r"independent compiled; outside test_store_into_a_read_only_array ~ "
            r"(alpha|beta|gamma|delta)\[[^\n]*\] [-+*/]?= [\s\S]*SCRIPT[\s\S]*broadcast_to",
            swap("transformer/programs/cache.py",
                 "        if program.spec.fun.writes and program.stores_into_read_only(flat):\n",
                 "        if False:\n"),
            put("transformer/programs/program.py", "Program.fast_path = lambda self, args: missed")),
    finding("`math.sqrt(array)` let a class of ours escape", "table math.sqrt",
            swap(S + "builtins/math_api.py", "            args = [as_number(s, x, *methods) for x in args]\n",
                 "            args = [as_number(s, x, *methods) for x in args]\n"
                 "            if f is math.sqrt and any(s.is_numeric(x) and s.type(x).rank for x in args):\n"
                 "                raise v.Grows\n")),
    finding("`a, b, *c = [1]` raised an internal exception", r"table program: unpacking; independent ~ \*\w+\]? =|, \*",
            swap(S + "evaluator/syntax/statements.py",
                 "    if len(items) < least:\n", "    if star is None and len(items) < least:\n")),
    finding("lists of floats from outside, read in a loop of the run time: \"C_0 is bound twice\"",
            r"table program: outside; independent ~ G\d+\[",
            swap(S + "evaluator/names/lifting.py",
                 "            outside.slots.update((k, x) for k, x in s.heap.items() if k not in before)\n",
                 "            pass\n")),
    finding("`x[:, k:k + 1]` with a loop's k was a ValueError",
            r"table program: slices of one place; independent ~ :\w+ ?\+ ?1\]",
            swap(S + "evaluator/syntax/slices.py", "        s.singles.add(length)\n", "        pass\n"),
            swap(S + "machine/lengths.py", "STRETCHED = (\"a size", "STRETCHED = (\"put back: a size"), refused=True),
    finding("`np.vstack(x)` of one array", "signatures np.vstack",
            swap(S + "builtins/numpy_api.py", "    rank = s.type(rows).rank\n    if rank <= least:\n",
                 "    rank = s.type(rows).rank\n    if least == 2 and rank < 3:\n"
                 "        s.stop(\"ValueError\", \"need at least one array\")\n    if rank <= least:\n")),
    finding("`np.vstack` and `np.hstack` of scalars", "signatures np.vstack; signatures np.hstack",
            swap(S + "builtins/numpy_api.py", "        parts = [array_like(s, a) for a in s.items(tup)]\n        while",
                 "        parts = [array_like(s, a) for a in s.items(tup)]\n"
                 "        if any(not s.type(a).rank for a in parts):\n"
                 "            s.stop(\"ValueError\", \"zero-dimensional arrays cannot be concatenated\")\n"
                 "        while")),
    finding("`np.linspace(a, b, 1)` divided by zero", "signatures np.linspace",
            swap("transformer/library/creation.py", "    step = delta / (count + (count == 0))\n",
                 "    step = delta / count\n")),
    finding("`np.expand_dims(x, (0, 2))`", "signatures np.expand_dims", swap(
        "transformer/library/shapes.py",
        "    axes = axis if isinstance(axis, (tuple, list)) else (axis,)\n    rank = np.ndim(a) + len(axes)\n",
        "    axes = axis[:1] if isinstance(axis, (tuple, list)) else (axis,)\n    rank = np.ndim(a) + len(axes)\n"),
            put(S + "evaluator/arrays/signatures.py", "def agrees(s, result, answer):\n    return True")),
    finding("`np.sort(x, axis=None)` sorted the last axis", "signatures np.sort",
            swap("transformer/library/sorting.py",
                 "    if axis is None:\n        a, axis = a.flatten(), 0\n    if a.ndim == 1:",
                 "    axis = -1 if axis is None else axis\n    if a.ndim == 1:"),
            put(S + "evaluator/arrays/signatures.py", "def agrees(s, result, answer):\n    return True")),
    finding("reductions of 0-d arrays with `axis=0` raised", "table program: no axes",
            swap(S + "builtins/numpy_arrays.py", "single_axis(s, v.Static(a), max(t.rank, 1)) for a in axes",
                 "single_axis(s, v.Static(a), t.rank) for a in axes")),
    finding("a constant that raises raised in a branch not taken",
            "table program: raises in a branch; independent ~ if|else",
            swap(S + "evaluator/objects/containers.py",
                 "            raise  # not from Python itself\n        raise_now(s, error)\n",
                 "            raise  # not from Python itself\n        raise\n")),
    finding("the copy of an OrderedDict was a dict", "table OrderedDict; independent ~ OrderedDict",
            swap(S + "evaluator/objects/containers.py",
                 "        return s.box([value_of(s, i) for i in x.values()], kind, x.keys(), \"dict\")",
                 "        return s.box([value_of(s, i) for i in x.values()], dict, x.keys(), \"dict\")")),
    finding("`copy.deepcopy` and `pickle` of transformed functions",
            "independent; outside test_copies_of_transformed_functions",
            put("transformer/functions/transformed.py", "del Transformed.__deepcopy__, Travelling.__reduce__")),
]
