"""tqdm's bars: the loop runs over what is inside, and no bar is shown."""
import sys
from dataclasses import dataclass
from typing import Any

from .registry import FUNCTIONS, LATE, Written

MODULES = ("tqdm", "tqdm.auto", "tqdm.notebook", "tqdm.asyncio")


@dataclass(eq=False)
class Bar:
    """What a program does with a bar, without one."""

    iterable: Any = None
    desc: Any = None
    total: Any = None

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return None

    def update(self, n=1):
        return None

    def set_description(self, desc=None, refresh=True):
        return None

    def set_description_str(self, desc=None, refresh=True):
        return None

    def set_postfix(self, ordered_dict=None, refresh=True, **values):
        return None

    def set_postfix_str(self, s="", refresh=True):
        return None

    def clear(self, nolock=False):
        return None

    def refresh(self, nolock=False, lock_args=None):
        return None

    def close(self):
        return None

    def write(self, s, file=None, end="\n", nolock=False):
        print(s, file=file, end=end)


def bar(iterable=None, desc=None, total=None, leave=True, **options):
    return Bar(iterable, desc, total)


def range_bar(*bounds, **options):
    return Bar(range(*bounds))


def write_line(cls, s, file=None, end="\n", nolock=False):
    """tqdm.write(s)"""
    print(s, file=file, end=end)


def enter_bars(module: str) -> None:
    """Enter the names of a module of tqdm that the user has imported."""
    names = vars(sys.modules[module])
    entered = {"tqdm": bar, "trange": range_bar, "tqdm_notebook": bar}
    FUNCTIONS.update({names[name]: Written(of, unasked=True) for name, of in entered.items() if name in names})
    if "tqdm" in names:
        FUNCTIONS[names["tqdm"].write.__func__] = Written(write_line, unasked=True)


for _function in (bar, range_bar, write_line):
    _function.__gradscribe_library__ = True
LATE.update({module: lambda module=module: enter_bars(module) for module in MODULES})
