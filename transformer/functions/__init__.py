"""What transformations make of functions: `transformed` (Grad, Jit, Vmap, ...), results of `vjp` and `linearize`
(`linear_maps`), custom rules, `gs.check`.

To add: A transformation is a subclass of `Transformed`, and a function in `api`.

Imports transformer.core, transformer.errors, transformer.frontend, transformer.inputs, transformer.library,
transformer.programs, transformer.pytree, transformer.readable, transformer.rules, transformer.specialise.domain,
transformer.specialise.evaluator.names, transformer.specialise.refusals, transformer.specialise.staged_calls,
transformer.tools, transformer.transform.
"""
