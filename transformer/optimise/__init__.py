"""Core to core, each pass one file: what they do is in their docstrings, as programs before and after."""
PASSES: tuple = ()
