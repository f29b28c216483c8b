"""What people do with generated source: look at a run of it line by line, find where a value goes wrong, measure it.

To add: A tool is a module of its own here; what a run does line by line it has from `recording.Recorder`.  Users
reach it by a method of `functions/inspected.py: Inspected`, or by a function of `gradscribe/`.

Imports runtime.loading, runtime.plain, transformer.analyse, transformer.core, transformer.errors,
transformer.frontend, transformer.inputs, transformer.loop_core, transformer.optimise, transformer.programs,
transformer.pytree, transformer.readable, transformer.rules, transformer.specialise, transformer.specialise.domain,
transformer.transform.
"""
