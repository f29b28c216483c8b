"""Names and what they stand for: `lookup`, values of the outside made abstract (`lifting`), stores to outer names
(`assigned`), the three tables of the evaluator (`tables`).

To add: A kind of value of the outside is lifted in `lifting`.

Imports runtime.plain, transformer.core, transformer.errors, transformer.frontend, transformer.inputs,
transformer.library, transformer.pytree, transformer.specialise.domain, transformer.specialise.machine,
transformer.specialise.refusals.
"""
