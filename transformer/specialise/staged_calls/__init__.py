"""Calls of transformed functions: recorded as core, transformed, and put where they stand (`record`, `derivatives`,
`vmapped`); collectives and scans.

To add: A transformation of calls inside of functions is one file here.

Imports transformer.core, transformer.errors, transformer.library, transformer.optimise, transformer.pytree,
transformer.rules, transformer.specialise.builtins, transformer.specialise.domain,
transformer.specialise.evaluator.arrays, transformer.specialise.evaluator.flow,
transformer.specialise.evaluator.names,
transformer.specialise.evaluator.objects, transformer.specialise.evaluator.syntax, transformer.transform.
"""
