"""The partial evaluator: a user's function and the types of its arguments -> typed, pure core. `entry` puts the
machine together and runs it.

To add: Its rooms: `domain` (abstract values), `machine` (heap and builder), `evaluator` (syntax), `builtins`
(functions by name), `staged_calls` (transformed calls), `refusals`.

Imports transformer.analyse, transformer.core, transformer.errors, transformer.frontend, transformer.inputs,
transformer.pytree, transformer.rules, transformer.specialise.builtins, transformer.specialise.domain,
transformer.specialise.evaluator.flow, transformer.specialise.evaluator.names,
transformer.specialise.evaluator.objects, transformer.specialise.evaluator.syntax,
transformer.specialise.machine, transformer.specialise.staged_calls, transformer.transform.
"""
from .entry import Specialised, specialise

__all__ = ["Specialised", "specialise"]
