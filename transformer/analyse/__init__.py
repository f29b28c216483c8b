"""What is known of a core function without changing it: activity, liveness, dependence, ranges, signs, norms.

To add: An analysis is one file: a function of a core function that returns facts.

Imports transformer.core, transformer.rules.
"""
