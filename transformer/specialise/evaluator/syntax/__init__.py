"""Expressions, statements and calls, one file for each chapter of Python's grammar.

To add: How a function is called is in `calls`; operators on numbers and containers are in `operators`.

Imports transformer.analyse, transformer.core, transformer.errors, transformer.frontend,
transformer.inputs, transformer.library, transformer.pytree, transformer.rules, transformer.specialise.domain,
transformer.specialise.evaluator.arrays, transformer.specialise.evaluator.flow,
transformer.specialise.evaluator.names, transformer.specialise.evaluator.objects, transformer.specialise.machine,
transformer.specialise.refusals.
"""
