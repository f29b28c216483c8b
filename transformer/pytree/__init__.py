"""Containers of users: how arguments and results are opened and put together (`containers`), `gs.tree` (`user_tree`),
lists of equal items as stacked arrays (`rows`), and the arguments of a call that it changes (`given`).

To add: A kind of container is a node in `containers.opened`.

Imports transformer.core, transformer.errors, transformer.frontend.
"""
