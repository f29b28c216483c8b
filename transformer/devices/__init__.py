"""Calls on several devices: `pmap`, `shard_map`, threads of GPUs, and calls that return at once (`wait=False`).

To add: How arguments are split and results joined is in `split_join`.

Imports runtime.cuda, runtime.devices, runtime.plain, transformer.core, transformer.errors, transformer.functions,
transformer.inputs, transformer.programs, transformer.pytree, transformer.sharding, transformer.specialise,
transformer.specialise.domain, transformer.specialise.evaluator.names, transformer.specialise.staged_calls,
transformer.tools.
"""
