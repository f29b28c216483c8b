"""Loops and branches of the run time: `control` runs a body until its heap is stable, `sides` runs both sides of a
choice.

To add: How a loop is taken (peeled, written out, as rows) is decided in `control`.

Imports transformer.core, transformer.errors, transformer.specialise.domain.
"""
