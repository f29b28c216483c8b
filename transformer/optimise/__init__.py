"""Core to core, each pass one file: what they do is in their docstrings, as programs before and after.

`inplace` is not one of them: it comes last and leaves pure core.

Imports transformer.analyse, transformer.core, transformer.library, transformer.rules, transformer.transform.
"""
from .aside import outline_beside_tapes
from .branches import branches
from .carried import carried
from .cse import cse
from .dce import dce
from .factors import factors
from .fold import fold
from .hoist import hoist
from .late import late
from .once import once
from .outer import outer
from .reciprocals import reciprocals
from .recurring import recurring
from .simplify import simplify
from .together import together

PASSES = (dce, fold, simplify, carried, cse, simplify, fold, simplify, hoist, late, dce)
# before `fuse`, where only a compiler reads the result
COMPILED = (outer, once, branches, recurring, cse, factors, reciprocals, dce, together, outline_beside_tapes)
