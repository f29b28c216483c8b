"""Builtin models: the functions of NumPy, of `math` and of Python that need the machine, by what they are called.

To add: A builtin is a function under `@frontend(np.name)` in the file of its module; one that can be written in NumPy
goes to `library/`.

Imports runtime, transformer.core, transformer.inputs, transformer.library, transformer.pytree, transformer.rules,
transformer.specialise.domain, transformer.specialise.evaluator.arrays, transformer.specialise.evaluator.flow,
transformer.specialise.evaluator.names, transformer.specialise.evaluator.objects,
transformer.specialise.evaluator.syntax.
"""
