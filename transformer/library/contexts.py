"""Context managers of `contextlib` that are made of others."""
import contextlib
import functools
from dataclasses import dataclass, field
from types import FunctionType, MethodType
from typing import Any

from .registry import ensure, means, refuse


@dataclass(eq=False)
class Closing:
    thing: Any

    def __enter__(self):
        return self.thing

    def __exit__(self, *problem):
        self.thing.close()


@means(contextlib.closing)
def closing(thing):
    return Closing(thing)


@dataclass(eq=False)
class Left:
    """A block that is left by a function."""

    leave: Any

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return self.leave(*problem)


def left_by(exits, problem):
    """Blocks in each other that these functions leave, around what raises the problem."""
    if len(exits) > 0:
        with Left(exits[0]):
            left_by(exits[1:], problem)
    elif problem is not None:
        raise problem


@dataclass(eq=False)
class Stack:
    """contextlib.ExitStack"""

    exits: list = field(default_factory=list)

    def __enter__(self):
        return self

    def __exit__(self, cls, problem, trace):
        exits, self.exits = self.exits, []
        left_by(exits, problem)
        ensure(len(self.exits) == 0, "an ExitStack into which a function that leaves it puts another one")
        return problem is not None

    def enter_context(self, cm):
        if not isinstance(cm, (Closing, Stack)) and isinstance(cm, functools.partial):
            refuse("a context that an ExitStack enters, and that is no object of a class of yours",
                   "Write a with block inside of the block of the stack: with cm as value: ...")
        entered = cm.__enter__()
        self.exits.append(cm.__exit__)
        return entered

    def push(self, exit):
        is_method = not isinstance(exit, (FunctionType, MethodType)) and hasattr(exit, "__exit__")
        self.exits.append(exit.__exit__ if is_method else exit)
        return exit

    def callback(self, callback, /, *args, **kwds):
        def leave(*problem):
            callback(*args, **kwds)

        self.exits.append(leave)
        return callback

    def close(self):
        self.__exit__(None, None, None)

    def pop_all(self):
        others, self.exits = Stack(self.exits), []
        return others


@means(contextlib.ExitStack)
def exit_stack():
    return Stack()
