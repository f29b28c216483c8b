"""Loop core: loops, loads, stores and scalars as data (`core`); the passes over it, and what prints it for each target
(`show`).

To add: A pass is one file with a program before and after in its docstring, and a line in `lower/__init__.py:
passes`.

Imports runtime.compiler, runtime.cuda, transformer.core.
"""
