"""numba's way from our text to machine code: `pipeline` (fewer passes), what LLVM hears (`loop_hints`, `lean`,
`references`), and what is kept on disk (`cache` for text, `kept` for machine code, `kernels` for what programs
share).

To add: A change of how numba reads or lowers any program goes here; the form of one function goes to `native/`.

Imports runtime.plain.
"""
