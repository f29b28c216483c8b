"""What generated source calls, in plain NumPy: readable source imports it by way of `gradscribe.runtime`, and compiled
text by module (`scalars as rs`, `memory as rm`, ...).

To add: A function that compiled text calls stands here first, so that each stage runs as Python; its compiled form
goes to `native/`, under the same file name.

Imports nothing of ours.
"""
