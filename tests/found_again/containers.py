"""Constants, flags, iterators and containers."""
from .patching import finding, put, swap

S = "transformer/specialise/"

FINDINGS = [
    # ---- constants
    finding("`x * (-1.0) ** n`, compiled: a negative constant lost its parentheses",
            "dtypes one x * (-1.0) ** x compiled; independent compiled",
            swap("transformer/loop_core/show.py", "return ast.UnaryOp(ast.USub(), literal_text(-value))",
                 "return ast.Constant(value)")),
    finding("`x ** k` at x = 0, k = 0 had a nan as its derivative", r"independent; outside power_at_zero ~ \*\*",
            swap("transformer/rules/elementwise.py", "lambda y, a, b: b * a ** less_by_one(y, a, b), exponent",
                 "lambda y, a, b: b * a ** (b - 1), exponent")),
    # ---- flags
    finding("`flag is True` of a bool of the run time was False",
            "table operator.is_; independent ~  is (not )?(True|False)",
            swap(S + "evaluator/syntax/operators.py",
                 "    if s.type(left) == s.type(right) == PY_BOOL:\n"
                 "        return s.elementwise(\"equal\", left, right)\n",
                 "    if s.type(left) == s.type(right) == PY_BOOL:\n        return v.Static(False)\n")),
    finding("`bool(())` was True", r"table program: truths; independent ~ \(\)|if |not |bool|and|or",
            swap(S + "evaluator/objects/truths.py", "return v.Static(len(value.items) > 0)", "return v.Static(True)")),
    finding("`bool([0.0])` was that of its number", "table program: truths; independent ~ bool|if |not ",
            swap(S + "evaluator/objects/truths.py",
                 "case v.Boxed() | v.Iter() if is_changeable(value) or isinstance(value, v.Iter)",
                 "case v.Boxed() if value.cls is list and len(s.items(value)) == 1:\n"
                 "            return truth(s, s.items(value)[0])\n"
                 "        case v.Boxed() | v.Iter() if is_changeable(value) or isinstance(value, v.Iter)")),
    finding("`bool(d.items())` of an empty dict was True", r"table program: truths; independent ~ items\(\)",
            swap(S + "evaluator/objects/truths.py",
                 "case v.Boxed() | v.Iter() if is_changeable(value) or isinstance(value, v.Iter)",
                 "case v.Iter(kind='items' | 'keys' | 'values'):\n            return v.Static(True)\n"
                 "        case v.Boxed() | v.Iter() if is_changeable(value) or isinstance(value, v.Iter)")),
    finding("`bool(range(0))` was True", "table program: truths; independent ~ range",
            swap(S + "evaluator/objects/truths.py", "def truth(s, value):",
                 "def truth(s, value):\n"
                 "    if isinstance(value, v.Iter) or isinstance(value, v.Static) and isinstance(value.value, range):\n"
                 "        return v.Static(True)\n    return _truth(s, value)\n\n\ndef _truth(s, value):")),
    finding("an object of a dataclass without fields was False",
            r"table program: truths; independent ~ @dataclass[^\n]*\nclass C\d+:\n(    pass|    def)",
            swap(S + "evaluator/objects/protocols.py",
                 "    result, found = answer\n    if not found or has_known_value(",
                 "    result, found = answer\n    if not found and isinstance(value, v.Boxed):\n"
                 "        return v.Static(len(s.items(value)) > 0)\n    if not found or has_known_value(")),
    # ---- iterators
    finding("`zip(..., strict=True)` was not strict", "table zip: list(zip([{}], [1, 2], strict=True)); independent",
            put(S + "builtins/builtin_api.py",
                "_zip = zip_\n\n\n@frontend(zip)\ndef zip_(s, *parts, strict=NONE):\n    return _zip(s, *parts)")),
    finding("iterators never ran out: `z = zip(a, b); list(z), list(z)`",
            r"table program: iterators run out; independent ~ it\d+ = ",
            put(S + "evaluator/objects/iteration.py",
                "_iterate = iterate_static\n\n\ndef iterate_static(s, value, why):\n"
                "    from .drawing import composed\n"
                "    before = {x.box: s.heap[x.box, None] for x in composed(s, value)}\n"
                "    items = _iterate(s, value, why)\n"
                "    s.heap.update({(box, None): content for box, content in before.items()})\n    return items")),
    finding("... nor by a loop that a `break` ends",
            r"table program: iterators run out; independent ~ it\d+ = [\s\S]*break",
            put(S + "evaluator/objects/drawing.py",
                "def finish(s, own, rounds, total):\n    for x, content, _ in own:\n"
                "        s.heap[x.box, None] = content"),
            swap(S + "evaluator/syntax/loops.py",
                 "    it = sequence(s, value) or drawn(s, value)\n    unrolled = lambda: unroll(",
                 "    if flag is not None and is_iterator(value):\n        value = s.box(s.items(value), value.cls)\n"
                 "    it = sequence(s, value) or drawn(s, value)\n    unrolled = lambda: unroll(")),
    finding("`map` called its function at once", r"table program: iterators run out; independent ~ map\(",
            swap(S + "builtins/builtin_api.py",
                 "s.box((f, *(iterator(s, x) for x in (first, *rest))), map, hint=\"it\"))\n",
                 "iterator(s, v.Tuple(tuple(\n"
                 "    [call_value(s, f, list(row), {}) for row in zip(\n"
                 "        *[iterate_static(s, x, 'map') for x in (first, *rest)])]))))\n")),
    finding("`range(n)[-1]` was its start", "table program: ranges; independent ~ range",
            swap("transformer/library/ranges.py", "    return start + (k if k >= 0 else count + k) * step\n",
                 "    return start + (k if k >= 0 else 0) * step\n")),
    # ---- containers
    finding("`dict(x={...}, y=2.0)` took x for what it copies", "table dict: dict(x={{'a': {}}}, y=2.0)",
            put(S + "builtins/builtin_api.py",
                "_dict_of_class = dict_of_class\n\n\n@each({cls: cls for cls in (dict, OrderedDict)})\n"
                "def dict_of_class(cls, s, /, *args, **kwargs):\n    first = kwargs.pop('x', None)\n"
                "    return _dict_of_class(cls, s, *(args if first is None else [first]), **kwargs)")),
    finding("`d.update(other=...)` took it for the dict", "table dict.update",
            swap(S + "evaluator/objects/members.py",
                 "    given = python_container if name.startswith(\"__\") else python_of\n",
                 "    given = python_container if name.startswith(\"__\") else python_of\n"
                 "    args, kwargs = ([kwargs['other']], {}) if 'other' in kwargs else (args, kwargs)\n")),
    finding("`dict([(\"a\", v)])` was empty", "table dict: dict([('a', {})]); independent",
            swap(S + "builtins/builtin_api.py",
                 "    return value_of(s, python(s, cls, *[python_container(s, x) for x in args],\n",
                 "    return value_of(s, python(s, cls, "
                 "*[python_container(s, x) for x in args if not isinstance(x, v.Boxed) or x.cls is not list],\n")),
    finding("`a *= 2` made a new list beside a shared one", "table program: shared lists; independent",
            swap(S + "evaluator/syntax/statements.py", "    box, old = old, as_builtin(old)\n",
                 "    if op == \"multiply\" and getattr(old, \"cls\", None) is list:\n"
                 "        return binary_op(s, op, old, value)\n"
                 "    box, old = old, as_builtin(old)\n")),
    finding("`(1,) + [2]` was a tuple", "table operator.add; independent",
            swap(S + "evaluator/syntax/operators.py",
                 "    left, right = as_builtin(left), as_builtin(right)\n    if again:\n",
                 "    left, right = as_builtin(left), as_builtin(right)\n"
                 "    if op == \"add\" and {container_kind(left), container_kind(right)} == {tuple, list}:\n"
                 "        items = (*s.items(left), *s.items(right))\n"
                 "        return v.Tuple(items) if container_kind(left) is tuple else s.box(items)\n    if again:\n")),
    finding("`sum([[..], [..]], [])` added them item by item", "table sum: sum([[{}], [2]], []); independent",
            swap(S + "builtins/builtin_api.py",
                 "        items = each_item(s, iterable, \"sum runs over it\")\n",
                 "        items = each_item(s, iterable, \"sum runs over it\")\n"
                 "        if type_of_value(s, start) is list:\n"
                 "            return s.box([sum_(s, v.Tuple(row)) for row in zip(*map(s.items, items))])\n")),
    finding("`split(sep=\"-\")` and `\"{a}\".format(a=1)` lost their keywords", "table str.split; independent",
            swap(S + "evaluator/objects/members.py",
                 "*(s.static(a, why) for a in args),\n"
                 "                              **{k: s.static(a, why) for k, a in kwargs.items()}))\n",
                 "*(s.static(a, why) for a in args)))\n")),
    finding("a lambda in a comprehension saw the outer variable of the same name",
            "table program: comprehensions; independent ~ lambda",
            swap(S + "evaluator/syntax/calls.py", "    return v.Closure(node, s.frames[-1], defaults, kwdefaults)",
                 "    frame = s.frames[-1]\n"
                 "    while isinstance(frame.node, COMPREHENSIONS) "
                 "and any(n in frame.parent.locals for n in frame.locals):\n        frame = frame.parent\n"
                 "    return v.Closure(node, frame, defaults, kwdefaults)")),
    finding("`callable(x)` was True of everything but numbers", "table callable; independent ~ callable",
            put(S + "builtins/builtin_api.py",
                "@frontend(callable)\ndef callable_(s, x):\n    return v.Static(not s.is_numeric(x))")),
    finding("`isinstance(range(3), range)` was False", "table program: text; independent ~ isinstance",
            swap(S + "builtins/builtin_api.py", "    wanted = s.static(cls, \"it is a class\")\n",
                 "    wanted = s.static(cls, \"it is a class\")\n"
                 "    if isinstance(x, v.Static) and type(x.value) is range:\n"
                 "        return v.Static(wanted is tuple)\n")),
    finding("`isinstance(f\"{x}\", str)` was False", "table program: text; independent ~ isinstance",
            swap(S + "domain/classes.py", "        case v.RunTimeText():\n            return str\n",
                 "        case v.RunTimeText():\n            return object\n")),
    finding("`x[:] is x` was True", "table program: identities; independent ~  is ",
            swap(S + "evaluator/syntax/indexing.py",
                 "    if codes.count(\":\") == len(codes):\n        return v.Array(base.cell, base.path, True)",
                 "    if codes.count(\":\") == len(codes):\n        return base")),
]
