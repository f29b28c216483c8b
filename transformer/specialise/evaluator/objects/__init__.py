"""Python's data model: attributes, methods of built-in and users' classes, iteration, truth, text.

To add: A method of a list, a dict or a str is in `members` or `texts`; special methods of users' classes are in
`protocols`.

Imports transformer.core, transformer.errors, transformer.frontend, transformer.inputs, transformer.library,
transformer.pytree, transformer.rules, transformer.specialise.domain, transformer.specialise.evaluator.arrays,
transformer.specialise.evaluator.flow, transformer.specialise.evaluator.names, transformer.specialise.refusals.
"""
