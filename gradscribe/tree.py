"""Trees of containers: dicts, tuples, lists, dataclasses and registered classes, and what is in them."""
from gradscribe.transformer.pytree.user_tree import (all, flatten, leaves, map, reduce, register, structure, transpose,
                                                     unflatten)

__all__ = ["all", "flatten", "leaves", "map", "reduce", "register", "structure", "transpose", "unflatten"]
