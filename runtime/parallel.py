"""Loops whose iterations do not depend on each other.  One after the other here; `native_parallel` has the form that
spreads them over threads."""


def share(part, count, args, at_once):
    """Run the iterations from 0 to `count` of a loop: `part(low, high, *args)` runs some of them.

    at_once: start threads without a look at the clock.  Compiled code otherwise starts serially, and threads only
    when what is left takes long enough to pay for them.
    """
    if count > 0:
        part(0, count, *args)
