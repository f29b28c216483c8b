"""Loops and branches of the run time: `control` runs a body until its heap is stable, `sides` runs both sides of a
choice; `escaping` has what an exception does that the run decides, `asking` which operation raises where.

To add: How a loop is taken (peeled, written out, as rows) is decided in `control`.

Imports transformer.core, transformer.errors, transformer.library, transformer.rules, transformer.specialise.domain,
transformer.specialise.machine.
"""
