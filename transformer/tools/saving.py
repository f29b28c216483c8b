"""A compiled function as a file, of which `runtime.loading.saved` makes a function again.

Its function takes arguments apart and puts results together as an exported one does; in between it calls what numba
compiles, whose text stands above it with all that a call has to know.
"""
from __future__ import annotations

import copy
import importlib
import inspect
import operator
from dataclasses import fields, replace
from pprint import pformat

from gradscribe.runtime.loading.saved import (SavedConstant, SavedOutput, SavedProgram, SavedSite, SavedType,
                                              runtime_digest)
from gradscribe.runtime.plain.arrays import OBJECTS

from ..core import Block, Const, Fun, Let, split_name
from ..core.terms import OWN, Op
from ..core.types import type_of_number
from ..errors.messages import GradscribeError
from ..programs.runtime_notes import said_of
from .export import ExportedFile, LiteralText, refuse_to_write, title_lines
from .export_check import brief, loaded_text, outcome, same_bits
from .export_parameters import exported_parameters, function_inside
from .kernel_text import KernelText

FROM = "gradscribe.runtime.loading.saved"


def calling(program):
    """The same program, as it would be if its body were one call of a function that has been compiled."""
    fun, made = program.core, copy.copy(program)
    op = Op(f"_compiled_{fun.name}", None)
    op.effect, op.memory = True, OWN
    types = [type_of_number(x.value) if isinstance(x, Const) else program.optimised.types[x]
             for x in program.optimised.body.results]
    words = [split_name(x)[0] if isinstance(x, str) else "result" for x in program.optimised.body.results]
    apart = [word not in fun.params and words.count(word) == 1 for word in words]
    names = tuple([word if own else f"{word}_{k}" for k, (word, own) in enumerate(zip(words, apart), 1)])
    body = Block((Let(names, op, fun.params, (), None),), names)
    made.core = made.optimised = Fun(fun.name, fun.params, body,
                                     {**{p: fun.types[p] for p in fun.params}, **dict(zip(names, types))})
    return made, op.name


class SavedFile(ExportedFile):
    """The parts of the file of a compiled program."""

    def __init__(self, program, parameters, version: str):
        caller, self.callee = calling(program)
        super().__init__(caller, parameters)
        self.saved, self.version = program, version

    def own_parts(self) -> list[str]:
        """The texts that are compiled, and what a call of them has to know."""
        texts: dict[str, str] = {}
        lowered = self.saved.lowered()
        others = [(field, name, other()) for field, name, other in
                  (("safely", "CHECKED", lowered.safe), ("with_threads", "SHARED", lowered.threads)) if other]
        kernels = KernelText([f for program in (lowered, *[p for *_, p in others]) for f in program.imports])
        programs = [program_text(name, self.described(other, kernels, texts)) for _, name, other in others]
        source = self.kept(texts, self.saved.source().text)
        main = replace(self.described(lowered, kernels, texts), source=source,
                       **{field: LiteralText(name) for field, name, _ in others})
        flat, writes = self.saved.core.params, self.saved.core.writes
        stored = tuple([(flat.index(name), k) for name, k in writes.items()])
        given = [f"{self.version!r}", f"{runtime_digest()!r}", f"{stored!r}"]
        given += [self.kept(texts, kernels.text).text] if kernels.text else []
        self.extra.append(f"from {FROM} import (SavedConstant, SavedOutput, SavedProgram, SavedSite, SavedType,\n"
                          f"{' ' * len(f'from {FROM} import ')} saved_function)")
        return [*[f'{name} = """\n{escaped(text)}"""' for text, name in texts.items()],
                *programs, program_text("PROGRAM", main),
                f"{self.callee} = saved_function(PROGRAM, {', '.join(given)})\nSAVED = {self.source.name!r}"]

    def kept(self, texts: dict[str, str], text: str) -> LiteralText:
        """The name of a text that stands above; `texts` are those."""
        return LiteralText(texts.setdefault(text, f"TEXT_{len(texts) + 1}"))

    def described(self, lowered, kernels: KernelText, texts: dict[str, str]) -> SavedProgram:
        """What a call has to know of a program, in classes that need nothing of the transformer."""
        foreign = sorted({kernel.__module__ for kernel in lowered.imports
                          if not kernel.__module__.startswith("gradscribe.")})
        if foreign:
            raise GradscribeError(None, f"{self.saved.core.name} cannot be saved: it calls {', '.join(foreign)}",
                                  "Call it outside, and pass what it gives.")
        lowered = replace(lowered, imports={kernels.here(f): name for f, name in lowered.imports.items()})
        return SavedProgram(
            lowered.entry, self.kept(texts, lowered.spelled("numba")), tuple(map(type_kept, lowered.param_types)),
            tuple(map(type_kept, lowered.result_types)),
            tuple([SavedOutput(o.lengths, o.dtype.name) for o in lowered.outputs]), lowered.results,
            tuple(map(site_kept, lowered.sites)), calls_devices=lowered.calls_devices)


def escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"""', r'\"\"\"')


def program_text(name: str, program: SavedProgram) -> str:
    """The statement that makes a program, each part of it in lines of its own."""
    lines = [f"    {f.name}={pformat(value, width=100)},".replace("\n", "\n        ") for f in fields(program)
             if (value := getattr(program, f.name)) != f.default]
    return "\n".join([f"{name} = SavedProgram(", *lines])[:-1] + ")"


def type_kept(t) -> SavedType:
    return SavedType(t.kind, t.dtype.name)


def site_kept(site) -> SavedSite:
    """A place that may stop; what it raises has to be there in another process."""
    for name in classes_named((site.kind, site.error)):
        if not is_importable(name):
            raise GradscribeError(site.origin, f"{name.rpartition(':')[2]} is raised, which another process cannot "
                                  "import", "Define it in a module, or raise one of Python's exceptions.")
    values = tuple([SavedConstant(x.value) if isinstance(x, Const) else type_kept(x) for x in site.values])
    return SavedSite(site.kind, site.message, said_of(site.origin) or None, site.error, values)


def classes_named(part) -> set[str]:
    """The names of users' classes in the parts of which an exception is made."""
    if isinstance(part, tuple):
        return set().union(*map(classes_named, part))
    return {part} if isinstance(part, str) and ":" in part and part in OBJECTS else set()


def is_importable(name: str) -> bool:
    module, _, inside = name.partition(":")
    try:
        return module != "__main__" and operator.attrgetter(inside)(importlib.import_module(module)) is OBJECTS[name]
    except (ImportError, AttributeError):
        return False


def saved_text(g, args, kwargs, version: str) -> tuple[str, str]:
    """The text of the file of a compiled function, and the name of the function in it."""
    fixed, named = g._cache.fixed(args, kwargs)
    program, _ = g._cache.find(fixed, named, [])
    refuse_to_write(program)
    if program.owner.target == "cuda":
        raise GradscribeError(None, f"{program.core.name} is compiled for a GPU, which a file is not for",
                              "Save gs.jit(f), and make kernels where they run.")
    file = SavedFile(program, exported_parameters(program, fixed, named, program.spec.static), version)
    function = function_inside(g)
    doc = inspect.getdoc(function) if inspect.isroutine(function) else None
    return file.text(title_lines(g, file.source, version), doc), file.source.name


def check_saved(g, text: str, name: str, args, kwargs) -> None:
    """Refuse a file that does not do what the function does for these arguments, to the last bit."""
    want = outcome(lambda args, kwargs: g(*args, **kwargs), args, kwargs)
    got = outcome(lambda args, kwargs: loaded_text(text, name)(*args, **kwargs), args, kwargs)
    if not same_bits(want, got):
        raise GradscribeError(None, f"{name} gives {brief(got[1])} as a file, and {brief(want[1])} without",
                              "For a function of the clock or of random numbers say check=False.")
