"""What a function sees from outside, and users' classes."""
from .patching import finding, put, swap

S = "transformer/specialise/"

FINDINGS = [
    # ---- outside
    finding("what was None when first seen had no guard", "independent ~ = None",
            swap(S + "evaluator/names/lifting.py", "    s.guard(path, obj)\n    s.guard_members(obj)\n",
                 "    None if obj is None else s.guard(path, obj)\n    s.guard_members(obj)\n")),
    finding("a static method that is replaced was not seen", "independent ~ staticmethod",
            swap(S + "evaluator/objects/objects.py",
                 "            s.guard(at, found.__func__)\n            return v.Static(found.__func__)",
                 "            return v.Static(found.__func__)")),
    finding("an attribute of a class that changes was not seen", r"independent ~ \.scale = ",
            swap(S + "evaluator/objects/objects.py",
                 "        return lift(s, found, at, (id(at.holder.get()),))\n    if value is None:\n",
                 "        return s.static_number(found) if isinstance(found, (int, float)) "
                 "else lift(s, found, at, (id(at.holder.get()),))\n    if value is None:\n")),
    finding("an item of a class's list was not seen to change",
            r"independent; outside test_an_item_of_a_class_list_that_was_none ~ \.TABLE\[\d\] = ",
            swap(S + "evaluator/names/lifting.py", "    s.guard(path, obj)\n    s.guard_members(obj)\n",
                 "    None if obj is None and path.how == \"item\" else s.guard(path, obj)\n"
                 "    s.guard_members(obj)\n")),
    finding("a global `max` or `sum` defined after the first call was not seen", r"independent ~ = lambda \*args",
            swap(S + "evaluator/names/lookup.py",
                 "        if not captured.ours:\n            s.guard(Path(\"globals()\"",
                 "        if False:\n            s.guard(Path(\"globals()\"")),
    finding("one object passed in two places, and changed", "independent ~ SHARED",
            put("transformer/programs/program.py", "Program.refuse_shared = lambda self, flat, args: None")),
    finding("keys 1, True and 1.0 of dicts shared a program",
            r"independent; outside test_keys_that_are_equal_and_differ ~ \{(1|True|1\.0|None):",
            swap("transformer/programs/cache.py",
                 "(k if type(k) is str else static_key(k), flatten_argument(i, leaves))",
                 "(k, flatten_argument(i, leaves))")),
    finding("a method that an object has of its own was not seen",
            r"independent; outside test_an_attribute_set_on_an_object_without_fields ~ __setattr__\(OBJECT",
            put("transformer/inputs/guards.py", "def hiding(x):\n    return ()")),
    # ---- classes
    finding("operators of NamedTuples were those of tuples: `(a + b)[0]` was `a.x`",
            "table special __add__; independent ~ class",
            put(S + "evaluator/objects/protocols.py",
                "_binary = binary_method\n\n\ndef binary_method(s, name, left, right, how=''):\n"
                "    return None if isinstance(left, v.Tuple) else _binary(s, name, left, right, how)")),
    finding("operators of dataclasses were not called", "table program: dataclasses; independent ~ class",
            put(S + "evaluator/objects/protocols.py",
                "_binary = binary_method\n\n\ndef binary_method(s, name, left, right, how=''):\n"
                "    if not isinstance(left, v.Boxed) or not is_user_object(left):\n"
                "        return _binary(s, name, left, right, how)\n"
                "    return python(s, operation(name), *[type(s.class_name(x), (), {})() for x in (left, right)])")),
    *[finding(f"`{name}` of a class was ignored", f"table special {name}; independent",
              put(S + "evaluator/objects/objects.py",
                  f"_special = special\n\n\ndef special(s, value, name):\n    return None if name == {name!r} "
                  "and isinstance(value, (v.Tuple, v.Boxed)) else _special(s, value, name)"),
              swap(S + "evaluator/objects/protocols.py", "    objects = [*filter(is_user_object, (left, right))]\n",
                   "    objects = []  # which are refused\n"))
      for name in ("__len__", "__getitem__", "__bool__", "__eq__", "__matmul__", "__call__", "__contains__",
                   "__iter__")],
    finding("`__post_init__` ran again on gradients and results",
            "table program: dataclasses; independent ~ __post_init__",
            put("transformer/pytree/containers.py",
                "def of_fields(cls, values):\n"
                "    return cls(**{f.name: values[f.name] for f in dataclasses.fields(cls) if f.init})")),
    finding("methods under `@gs.jit` or `@gs.checkpoint` lost `self`", "independent ~ @gs",
            swap(S + "evaluator/objects/objects.py",
                 "            s.guard(path_of(s, holder).attr(\"__dict__\").item(name), found)\n"
                 "            return method(v.Static(found), value)", "            return v.Static(found)")),
    finding("stores into frozen dataclasses succeeded", "table program: dataclasses; independent ~ frozen=True",
            put("transformer/library/dataclass_functions.py",
                "@written(\"dataclasses\", \"__setattr__\", \"__delattr__\")\n"
                "def frozen(cls, name, self, attribute, *value):\n"
                "    return getattr(object, name)(self, attribute, *value)")),
    finding("constructors took more arguments than there are", "table program: dataclasses; independent ~ class",
            swap(S + "builtins/written.py", "    return handler(s, f, *bound_arguments(s, f, args, kwargs).values())\n",
                 "    return handler(s, f, *bound_arguments(s, f, args[:f.__code__.co_argcount], kwargs).values())\n")),
    finding("`__new__` was ignored", "table program: classes; independent ~ __new__",
            swap(S + "evaluator/objects/making.py",
                 "    made = call_now(s, v.Static(new if isinstance(new, pytypes.FunctionType) else holder.__new__), "
                 "of, *args, **kwargs)\n",
                 "    imitated = isinstance(new, pytypes.FunctionType) and not issubclass(cls, (list, dict, tuple))\n"
                 "    made = call_now(s, v.Static(object.__new__), of) if imitated "
                 "else call_now(s, v.Static(new if isinstance(new, pytypes.FunctionType) else holder.__new__), of, "
                 "*args, **kwargs)\n")),
]
