"""Compiled forms of the functions of `plain/`, in LLVM's instructions or as kernels; `vectormath` has exp, log, sin,
tanh, ... of our own.

To add: The form of a function stands in the file that has the name of its file in `plain/`; `forms.register` enters it.

Imports runtime.compiler, runtime.plain.
"""
