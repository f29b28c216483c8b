"""From lowered text to a function that is called: `targets` (numba, plain Python, CUDA), `trampoline` (outputs, kinds
of numbers, exceptions); compiling in another process, and calls in a copy of this one.

To add: A new target is a `Target` in `targets`, and a class that spells it in `transformer/loop_core/show.py`.

Imports runtime.compiler, runtime.native, runtime.plain.
"""
