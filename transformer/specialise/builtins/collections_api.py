"""The classes of the module collections that Python has in C, and namedtuple."""
from __future__ import annotations

import functools
from collections import defaultdict, namedtuple

from ...library.registry import frontend
from ..domain import values as v
from ..domain.classes import defaultdict_of
from ..evaluator.objects.containers import python
from .builtin_api import NONE, dict_of_class


@frontend(defaultdict)
def default_dict(s, default_factory=NONE, /, *args, **kwargs):
    if isinstance(default_factory, v.Static):
        python(s, defaultdict, default_factory.value)
    known = dict_of_class(dict, s, *args, **kwargs)
    return s.box(s.items(known), defaultdict_of(default_factory), s.keys(known), "dict")


@frontend(namedtuple)
def named_tuple(s, typename, field_names, *, rename=v.Static(False), defaults=NONE):
    name, fields, *more = [s.static(x, "a class is made of it") for x in (typename, field_names, rename, defaults)]
    make = functools.partial(python, s, named_tuple_class if more[1] is None else named_tuple_class.__wrapped__)
    return v.Static(make(name, fields if isinstance(fields, str) else tuple(fields), *more,
                         s.frames[-1].captured.globals["__name__"]))


@functools.lru_cache(256)
def named_tuple_class(name: str, fields, rename, defaults, module: str) -> type:
    """The class, which is the same one in each round of a loop."""
    return namedtuple(name, fields, rename=rename, defaults=defaults, module=module)
