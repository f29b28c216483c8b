"""Core to core, each pass one file: what they do is in their docstrings, as programs before and after.

`inplace` is not one of them: it comes last and leaves pure core.

Imports transformer.analyse, transformer.core, transformer.library, transformer.rules, transformer.transform.
"""
from . import new_axes, part_rules
from .abreast import abreast
from .aside import outline_beside_tapes
from .begun_sums import begun_sums
from .branches import branches
from .carried import carried
from .clears import clears
from .contractions import contractions, matrix_products
from .cse import cse
from .dce import dce
from .everywhere import everywhere
from .factors import factors
from .fold import fold_constants
from .hoist import hoist_invariants
from .late import late
from .loops_once import loops_once
from .once import once
from .reciprocals import reciprocals
from .recurring import recurring
from .simplify import simplify
from .stored import read_where_stored
from .together import together
from .unread_clears import unread_clears

PASSES = (dce, fold_constants, simplify, carried, cse, simplify, fold_constants, simplify, loops_once,
          hoist_invariants, late, dce)
# where no derivative is left to take
FINISHED = (*PASSES, contractions, simplify, contractions, simplify, cse, unread_clears, dce)
# before `fuse`, where only a compiler reads the result
COMPILED = (matrix_products, everywhere, once, branches, recurring, cse, begun_sums, read_where_stored, clears,
            factors, reciprocals, dce, together)
FOR_CPU = (abreast, contractions, simplify, *COMPILED, outline_beside_tapes)
