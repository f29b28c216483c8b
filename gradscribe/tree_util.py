"""The functions of `gs.tree` by the older names that they have in JAX's `jax.tree_util`."""
from .tree import (all as tree_all, flatten as tree_flatten, leaves as tree_leaves, map as tree_map,
                   reduce as tree_reduce, register as register_pytree_node, structure as tree_structure,
                   transpose as tree_transpose, unflatten as tree_unflatten)

__all__ = ["register_pytree_node", "tree_all", "tree_flatten", "tree_leaves", "tree_map", "tree_reduce",
           "tree_structure", "tree_transpose", "tree_unflatten"]
