"""Loops whose iterations do not depend on each other.  One after the other here; `native/parallel.py` has the form in
which threads share them."""
import os


def share(part, count, args, grain, at_once):
    """Run the iterations from 0 to `count` of a loop: `part(low, high, *args)` runs some of them.

    grain:   parts begin at multiples of it, so that vector instructions compute the same iterations however many parts
    there are at_once: compiled, start threads at once; without it, when it turns out that what is left takes long
    enough
    """
    if count > 0:
        part(0, count, *args)


def one_by_one():
    """Tells the compiler not to compute several iterations with vector instructions: parts may begin anywhere."""


def elements_apart(x) -> bool:
    """Do the strides of an array say that no two of its elements are in one place, as those of rows in memory do?"""
    room = x.itemsize
    for n, stride in zip(reversed(x.shape), reversed(x.strides)):
        if stride < room:
            return False
        room = n * stride
    return True


def threads() -> int:
    """How many threads loops may have, over all callers:
    $GRADSCRIBE_THREADS, but no more than this process may use cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("GRADSCRIBE_THREADS", "")
    return max(1, min(cores, int(wanted))) if wanted.isdecimal() else cores
