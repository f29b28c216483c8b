"""What abstract values are, and how heaps are compared and joined: `lattice`, `branch_join`, `loop_headers`,
`aliasing`; lists that grow.

To add: A kind of value is a class in `values` with its join in `lattice`.

Imports transformer.core, transformer.frontend, transformer.library, transformer.pytree, transformer.rules.
"""
