"""What was refused, and users hit: no wrong answers, so that it is the count of what is refused that tells."""
from .patching import finding, swap

S = "transformer/specialise/"


def refuse(name, look, file, old, condition, indent=4):
    """A refusal before a line of a function, under a condition."""
    pad = " " * indent
    return finding(name, look, swap(file, old, f"{pad}if {condition}:\n{pad}    s.fail(\"put back\", \"\")\n{old}"),
                   refused=True)


FINDINGS = [
    refuse("`super().method()`", r"table program: classes; independent ~ super\(\)\.[a-z]",
           S + "builtins/object_api.py", "    if cls is None:\n        frame = s.frames[-1]\n", "True"),
    refuse("`sorted(reverse=, key=)`",
           "table sorted: sorted([{}, 1.5], reverse=True); independent", S + "builtins/builtin_api.py",
           "    items = iterate_static(s, iterable, \"it is sorted\")\n",
           "key != NONE or reverse != v.Static(False)"),
    refuse("`max(key=)`", "table max: max([{}, -3], key=abs); independent", S + "builtins/builtin_api.py",
           "    best = best_of(s, better, each_item(s, x, f\"{function.__name__} runs over it\"), key)\n",
           "key != NONE"),
    refuse("`list == list`", "table program: lists; independent", S + "evaluator/objects/members.py",
           "    a, b = s.items(left), s.items(right)\n    if is_dict(left):\n", "is_list(left)"),
    refuse("`d1 | d2`", "table program: lists; independent", S + "evaluator/syntax/operators.py",
           "    left, right = as_builtin(left), as_builtin(right)\n    if again:\n", "op == \"or_\" and is_dict(left)"),
    refuse("`dataclasses.replace`", r"table program: dataclasses; independent ~ dataclasses\.replace",
           S + "builtins/library_api.py",
           "    found = tried_now(s, f, *[s.static(a, \"it decides what is done\") for a in args])\n",
           "f.__name__ == \"every_field\""),
    refuse("`dataclasses.asdict`", "table program: dataclasses; independent ~ asdict", S + "builtins/library_api.py",
           "    found = tried_now(s, f, *[s.static(a, \"it decides what is done\") for a in args])\n",
           "f.__name__ == \"fields\""),
    refuse("`copy.copy`", r"table program: dataclasses; independent ~ copy\.copy", S + "builtins/object_api.py",
           "    return copied_object(s, x, \"__copy__\", lambda inner: inner)\n", "True"),
    refuse("helpers under `lru_cache`", "table program: functions; independent ~ lru_cache",
           S + "evaluator/syntax/calls.py",
           "    for x in [*args, *kwargs.values()]:\n        refuse_unhashable(s, x)\n", "True"),
    refuse("attributes of classes that are None or arrays", "table program: classes; independent ~ scale = |TABLE",
           S + "evaluator/objects/objects.py",
           "        return lift(s, found, at, (id(at.holder.get()),))\n    if value is None:\n",
           "found is None or type(found).__name__ == \"ndarray\"", 8),
    refuse("`def g` on both sides of an `if`",
           "table program: functions; independent ~ lambda|def h", S + "domain/branch_join.py",
           "        return self.chosen(*[self.kept(k, a) for k, a in enumerate((x, y))])\n", "(s := self.s)", 8),
    refuse("`x in range(n)`", "table program: ranges; independent ~  in range", S + "evaluator/syntax/operators.py",
           "        return (s.call_value(in_range, [item, *container.parts], {})\n", "True", 8),
    refuse("branches whose numbers' types differ (int, then float)", "table program: joins; independent",
           S + "domain/branch_join.py", "            t = self.type(x, y)\n", "types[0] != types[1]", 12),
    refuse("`round(x)`", "table round; independent", S + "builtins/math_api.py",
           "    s.refuse_several([s.atom(number)])\n    if ndigits == NONE:\n", "True"),
    refuse("`sorted` of values of the run time", "table sorted; independent", S + "builtins/builtin_api.py",
           "    if (columns := columns_of(s, keys)) is not None:\n", "True"),
    finding("`np.sort` of two axes", "signatures np.sort",
            swap("transformer/library/sorting.py", "    rows = a.swapaxes(axis, -1)\n",
                 "    put_back()\n    rows = a.swapaxes(axis, -1)\n"), refused=True),
    refuse("`list.sort()`, `list.index()`", "table list.sort; independent", S + "evaluator/objects/members.py",
           "    if name == \"sort\":\n", "name in (\"sort\", \"index\")"),
    refuse("slice stores of lists", r"table program: lists; independent ~ \[[^\]]*:[^\]]*\] = ",
           S + "evaluator/syntax/indexing.py", "        on_real(s, base, operator.setitem, key,",
           "isinstance(key, slice)", 8),
    refuse("`del` of items of lists", "table program: lists; independent ~ del ", S + "evaluator/syntax/indexing.py",
           "        on_real(s, base, operator.delitem, s.static(", "True", 8),
    refuse("`dict.pop`", "table dict.pop; independent", S + "evaluator/objects/members.py",
           "    given = python_container if name.startswith(\"__\") else python_of\n",
           "name == \"pop\" and is_dict(base)"),
    refuse("a comprehension's variable that is a global's name", r"table program: outside; independent ~  for G\d",
           S + "evaluator/syntax/expressions.py", "    return v.Frame(node, outer.captured, outer, names, outer.hint",
           "not names.isdisjoint(outer.captured.globals)"),
    finding("`jit` of the pull-back that `gs.vjp` gave", "independent compiled", swap(
        "transformer/functions/linear_maps.py", "        if self.backward:\n            return self.backward.inlined(",
        "        s.fail(\"put back\", \"\")\n        if self.backward:\n            return self.backward.inlined("),
            refused=True),
]
