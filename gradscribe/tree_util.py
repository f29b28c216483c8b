"""The functions of `gs.tree` by the older names that they have in JAX's `jax.tree_util`."""
from .tree import all as tree_all
from .tree import flatten as tree_flatten
from .tree import leaves as tree_leaves
from .tree import map as tree_map
from .tree import reduce as tree_reduce
from .tree import register as register_pytree_node
from .tree import structure as tree_structure
from .tree import transpose as tree_transpose
from .tree import unflatten as tree_unflatten

__all__ = ["register_pytree_node", "tree_all", "tree_flatten", "tree_leaves", "tree_map", "tree_reduce",
           "tree_structure", "tree_transpose", "tree_unflatten"]
