"""A hundred functions of ten public libraries, as their documentation calls them: `python -m benchmarks.libraries`.

No part of the tests, which need no network. The libraries are to be installed first, beside Gradscribe:

    pip install ht==1.2.0 fluids==1.3.1 vollib==1.0.11 seawater==3.3.5 pvlib==0.16.1 hapsira==0.18.0 \
                lifelines==0.30.3 filterpy==2.0.0 pyquaternion==0.9.9 pymanopt==2.2.1

A file for each library. The hundred were chosen, with their arguments, before any of them was tried, and none was
exchanged since.
"""
from typing import Callable, NamedTuple

LIBRARIES = ("ht", "fluids", "vollib", "seawater", "pvlib", "hapsira", "lifelines", "filterpy", "pyquaternion",
             "pymanopt")


class Call(NamedTuple):
    entry: Callable
    args: tuple  # with respect to all of which the derivative is taken

    @property
    def name(self):
        return f"{self.entry.__module__.rpartition('.of_')[2]}.{self.entry.__name__}"


class Calls(list):
    """The calls of a library: a function under `@calls(1.0, 2.0)` is one of them, and these are its arguments."""

    def __call__(self, *args):
        def register(entry):
            self.append(Call(entry, args))
            return entry
        return register
