"""Loop core: loops, loads, stores and scalars as data; the passes over it, and what prints it."""
