"""Collections of garbage wait while programs are transformed and compiled: they would look at hundreds of thousands of
new objects again and again, a seventh of the time, and find next to nothing."""
import gc
from contextlib import contextmanager


@contextmanager
def uncollected():
    """Without collections inside; who switched them off before finds them off afterwards."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
