"""Meshes, partition specs, and arrays that are sharded over devices.

To add: What users do with such an array is a method of `Sharded`.

Imports runtime.cuda, runtime.devices, transformer.errors, transformer.inputs, transformer.pytree,
transformer.specialise.staged_calls.
"""
