"""Core: what functions are made of (`terms`, `types`, `index_codes`), how passes walk over it and write it (`walking`,
`building`), its text (`text`), what constants decide (`known`), and what must hold after each pass (`verifier`).

To add: A new kind of statement needs its place in `terms`, `walking`, `text` and `verifier`; think thrice.

Imports runtime, transformer.errors.
"""
from .building import POLYNOMIAL, UNNAMED, Builder, Meanwhile, OnTop, inline, join_name, split_name, users_word, whose
from .terms import (ANY, MADE, MOVED, OWN, PASSED, SAME, STORED, VIEW, AdjointOrigin, Atom, Block, Const, For, Fun, If,
                    JoinedConstant, Let, Op, Stmt, Store, While, common_order, quoted, show_static, signed)
from .text import core_text, runnable
from .walking import (all_bound, blocks_of, bound, free_names, lengths_in_params, names_among, operands,
                      params_with_dims, read_counts, rename, shows, walk)

__all__ = ["ANY", "MADE", "MOVED", "OWN", "PASSED", "POLYNOMIAL", "SAME", "STORED", "UNNAMED", "VIEW", "Adjoint",
           "Atom", "Block", "Builder", "Const", "For", "Fun", "If", "Joined", "Let", "Meanwhile", "Op", "OnTop",
           "Stmt", "Store", "While", "all_bound", "blocks_of", "bound", "common_order", "free_names", "inline",
           "join_name", "lengths_in_params", "names_in", "operands", "params_with_dims", "quoted", "read_counts",
           "rename", "runnable", "show", "show_static", "shows", "signed", "split_name", "users_word", "walk", "whose"]
