"""What the tests of lowered functions share."""
import re

import numpy as np

from gradscribe.runtime.loading.trampoline import plain_module
from gradscribe.transformer.core import runnable
from gradscribe.transformer.lower import lower
from tests.transformer.coretext import core


def text(source, owned=()):
    return lower(core(source), frozenset(owned)).text


def loops(source):
    return len(re.findall(r"^\s*for ", text(source), re.M))


def agrees(source, *args):
    """The lowered text gives what core gives."""
    fun = core(source)
    copies = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
    for got, want in zip(plain_module(lower(fun))(*args), runnable(fun)(*copies), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)
