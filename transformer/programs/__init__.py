"""From a call to the program that serves it: `cache` finds it, `program` builds, runs and shows it, `fast_path` is the
generated test of arguments, `reuse` what else a program may serve.

To add: Why a program was made anew is decided in `cache.find`.

Imports runtime.compiler, runtime.cuda, runtime.loading, transformer.analyse, transformer.core, transformer.errors,
transformer.frontend, transformer.inputs, transformer.library, transformer.loop_core, transformer.lower,
transformer.optimise, transformer.pytree, transformer.readable, transformer.rules, transformer.sharding,
transformer.specialise, transformer.specialise.domain, transformer.specialise.evaluator.names,
transformer.specialise.evaluator.syntax, transformer.specialise.staged_calls, transformer.transform.
"""
