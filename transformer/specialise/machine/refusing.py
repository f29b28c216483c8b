"""What the machine refuses and where, what holds while a program does, and what must be known before."""
from __future__ import annotations

import builtins
import inspect
import zlib
from contextlib import contextmanager
from types import MemberDescriptorType

from gradscribe.runtime.plain.arrays import exception_class as class_named

from ...core import Atom, Const, Meanwhile, OnTop
from ...core.types import PY_BOOL
from ...errors.messages import GradscribeError, UnsupportedError
from ...inputs.guards import ABSENT, Path, SizeGuard, has_python_code, seen
from ..domain import values as v
from ..domain.plans import Plan, Way

LIBRARY = "That is in a library: write what its function computes with NumPy, or call it before and pass what it gives."


class Refusing:
    """Errors with their place in the user's text, guards, and exceptions that are certain."""

    def guard(self, path, known) -> None:
        """Note that the program holds while what is found at the path is this very object (an equal string or number),
        fits the Shape or Kind, or is ABSENT."""
        if path.place not in self.facts.guards:
            self.facts.guards[path.place] = path, seen(known)

    def guard_members(self, obj) -> None:
        """Note of a class or an object of the user's which bases it has, and that no attribute comes or goes."""
        cls = obj if isinstance(obj, type) else type(obj)
        if has_python_code(cls) and inspect.isfunction(cls.__getattribute__):
            self.fail(f"{cls.__name__} has a __getattribute__",
                      "Write a __getattr__, which is asked for what is not found.")
        if len(cls.__mro__) > 2 and has_python_code(cls):
            self.guard(Path(cls.__name__, cls, None, "default").attr("__mro__"), cls.__mro__)
        for holder in (*cls.__mro__, *type(cls).__mro__,
                       *([obj] if obj is not cls and hasattr(obj, "__dict__") else [])):
            if has_python_code(holder if isinstance(holder, type) else cls):
                path = Path(getattr(holder, "__name__", cls.__name__), holder, None, "default").attr("__dict__")
                self.guard(path, SizeGuard.of(vars(holder)))
        for name in empty_slots(obj) if obj is not cls else ():
            self.guard(Path(cls.__name__, obj, None, "default").attr(name), ABSENT)

    def origin(self, node=None):
        """The place of a node in the user's text; of one in a function of ours or of another library,
        the place of the call."""
        places = self.places(node)
        found = next((p for p, foreign in places if not foreign), places[0][0] if places else None)
        return found.but(calls=self.calls, path=self.path) if self.path and found is not None else found

    @contextmanager
    def within(self, name: str | None, at: int | None = None):
        """What is emitted meanwhile belongs to one call of a function, or to one round of a loop, the one with this
        number; without a name to a part of either."""
        calls, frames = self.calls, self.frames[-2:]  # none where a function of ours is the program
        frame = frames[0 if at is None else -1] if frames else None
        line = getattr(self.node, "lineno", 0) - (frame.captured.first_line if frame and frame.captured else 0)
        path = zlib.crc32(f"{line} {getattr(self.node, 'col_offset', 0)} {at}".encode(), self.path)
        if name is not None:
            self.serial += 1
            calls = (*calls, (name, self.serial))
        with Meanwhile(self, "path", path), Meanwhile(self, "calls", calls):
            yield

    def places(self, node=None) -> list[tuple]:
        """[(place, is it in a library?)] of a node and of the calls around it,
        up to the first in the user's own text."""
        node, found = node if node is not None else self.node, []
        for frame in reversed(self.frames):
            if frame.captured is not None and node is not None and hasattr(node, "lineno"):
                found.append((frame.captured.origin_of(node), frame.captured.foreign))
                if not frame.captured.foreign:
                    break
                node = frame.call
        return found

    def fail(self, message: str, instead: str, node=None, error=UnsupportedError, origin=None):
        inner, foreign = next(iter(self.places(node)), (None, False))
        origin = origin or self.origin(node)
        if foreign and origin != inner and not self.frames[-1].captured.ours:
            message += f" (in {inner.function}, {inner.place})"
            instead += " " + LIBRARY
        raise error(origin, message, instead=instead)

    def conflict(self, conflict: v.Unjoinable, message: str, instead: str):
        """Refuse what the paths of a branch or loop disagree about; where the test of the branch can be known, know it.

        What has another type before a loop than in it may have the same in all iterations but the first: do that apart.
        """
        self.know(conflict.test)
        if conflict.loop is not None and conflict.loop not in self.static_paths:
            raise v.Restart(frozenset({conflict.loop}))
        self.fail(f"{message}: {conflict.why}", instead)

    def located(self, error: Exception, node) -> None:
        """Tell an exception that passes by where in the user's text it came from, once."""
        if isinstance(error, (v.Restart, v.CertainException, v.Grows)):
            return
        if isinstance(error, v.NeedStatic):
            error.origin = error.origin or self.origin(node)
        elif not isinstance(error, GradscribeError) and not getattr(error, "__notes__", None):
            origin = self.origin(node)
            if origin is not None:
                error.add_note(f"while {origin.place} was transformed: {origin.first_text}")

    def plan(self, way: Way, node) -> Plan:
        """What is done otherwise with a node of the function that is evaluated."""
        captured = self.frames[-1].captured
        called = f" in {self.origin(node)}" if captured.ours else ""
        return Plan(way, f"{captured.file}:{node.lineno}:{node.col_offset}{called}")

    def know(self, atom: Atom | None) -> None:
        """Specialise again with the value of this flag, if it is an argument or comes from
        int and bool arguments and sizes."""
        if atom in self.branches and not self.from_flags(atom):
            if self.branches[atom] not in self.static_paths:
                raise v.Restart(frozenset({self.branches[atom]}))
        elif isinstance(atom, str) and atom in self.entry_ints:
            raise v.NeedStatic(atom, "it decides between two branches", self.origin())

    def from_flags(self, atom: Atom) -> bool:
        """Does it come from bool arguments alone?"""
        made = self.entry_ints.get(atom, ())
        return isinstance(atom, Const) or (self.b.types[atom] == PY_BOOL if made is None
                                           else bool(made) and all(map(self.from_flags, made[1])))

    def know_flags(self, atom: Atom) -> None:
        """As `know`, where it comes from bool arguments alone:
        there are few programs, and each is exactly what Python does."""
        if self.from_flags(atom):
            self.know(atom)

    def stop(self, kind: str, message: str | None, values=(), problem=None, **error) -> None:
        """An exception is certain here; its message has places for the values.  `error`: of one without a message, what
        `runtime.arrays.problem` makes it of."""
        if kind == "StopIteration" and self.leaves_generator():
            cause = error["error"][:2] if error else ((("constant", message),) if message else (), ())
            kind, said, message = "RuntimeError", "generator raised StopIteration", None
            error = {"error": ((("constant", said),), (), ("StopIteration", cause))}
            problem = v.UnraisedException(RuntimeError, (v.Static(said),))
        self.refuse_caught_outside(kind)
        self.emit("rt.require", Const(False), *values, kind=kind, **(error or message_of(message, values)))
        is_said = message and not values
        raise v.CertainException(kind, problem or
                                 (v.UnraisedException(class_named(kind), (v.Static(message),)) if is_said else None))

    def refuse_caught_outside(self, kind: str) -> None:
        """Refuse an exception that is certain here, in a branch, a loop or a recorded function, and caught around."""
        caught = next((c for c in reversed(self.catching) if is_caught(kind, c[0])), None)
        if caught is not None and not (self.levels and caught[2] is not None
                                       and self.levels[-1].stmts is self.b.stmts) and caught[1] is not self.b.stmts:
            self.fail(f"whether {class_named(kind).__name__} ends this is known only at run time",
                      "Let what is known before the run decide, or write the loop without it.")

    def leaves_generator(self) -> bool:
        """Would a StopIteration that is raised here leave the body of a generator?"""
        generators = self.loops.generators
        running = next((generators[frame] for frame in reversed(self.frames) if frame in generators), None)
        return running is not None and not any([is_caught("StopIteration", cls)
                                                for cls, *_ in self.catching[running.caught:]])

    @contextmanager
    def catches(self, cls, level=None):
        """A certain exception of this class, or of one of these classes, comes here as Caught; `level`: of a block that
        catches what the run decides, too."""
        stmts, frames = self.b.stmts, {ref for ref, _ in self.heap if isinstance(ref, v.Frame)}
        try:
            with OnTop(self.catching, (cls, stmts, level)):
                yield
        except v.CertainException as stop:
            stmts = level.stmts if level is not None else stmts
            if not stop.kind or not is_caught(stop.kind, cls) or self.b.stmts is not stmts:
                raise
            check = stmts.pop()
            for key in [key for key in self.heap if isinstance(key[0], v.Frame) and key[0] not in frames]:
                del self.heap[key]  # of calls that it has left
            raise v.Caught(stop.kind, stop.problem, check) from None

    def lacks(self, value, message: str) -> None:
        """The class of a value, which the message names, cannot do this."""
        if isinstance(value, v.RunTimeText):
            self.fail("a text with a value of the run time is taken apart", "Take the value, not its text.")
        self.stop("TypeError", message.format(self.class_name(value)))

    def missing(self, value, attr: str) -> None:
        """An attribute is not there; where the program asks just that, it raises."""
        if self.is_caught("AttributeError"):
            self.stop("AttributeError", f"'{self.class_name(value)}' object has no attribute '{attr}'")

    def is_caught(self, kind: str) -> bool:
        """Is an exception of this kind caught somewhere around?"""
        return any([is_caught(kind, cls) for cls, *_ in self.catching])

    def now(self, function, *args):
        """What an operation gives of numbers that are known now;
        what it raises is raised where the program comes there."""
        try:
            return function(*args)
        except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
            self.raised(error)


def message_of(message: str | None, values) -> dict:
    """How a check says what it raises: a message, or one with places for values."""
    return {"error": ((("text", message, *range(len(values))),), ())} if values else {"message": message}


def is_caught(kind: str, cls) -> bool:
    """Is an exception of a class, or of one of these?  What we refuse is no exception of the program."""
    return not kind.startswith("Refused") and issubclass(class_named(kind), cls)


def builtin_kind(error: Exception) -> str:
    """The name of the built-in exception that an exception is."""
    return next(cls.__name__ for cls in type(error).__mro__ if getattr(builtins, cls.__name__, None) is cls)


def empty_slots(obj) -> list[str]:
    """The attributes that an object has room for, by `__slots__`, and does not have."""
    slots = {name for cls in type(obj).__mro__ for name, x in vars(cls).items() if isinstance(x, MemberDescriptorType)}
    return [name for name in sorted(slots) if not hasattr(obj, name)]
