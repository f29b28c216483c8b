"""Arrays as arguments of functions: what a signature says of them (`signatures`), shapes, masks, `out=`.

To add: A keyword of a NumPy function is implemented or refused by `signatures`.

Imports transformer.core, transformer.library, transformer.rules, transformer.specialise.domain,
transformer.specialise.machine, transformer.specialise.refusals.
"""
