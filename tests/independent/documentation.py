"""Programs in the manner of Python's documentation (data model, iterators and itertools' recipes, dataclasses,
tutorial) and of NumPy's (indexing, broadcasting, promotion, copies and views), written as functions of numbers. Python
itself says what they give. They stand in `documented/`; here are the names of all of it.
"""
from .documented import arrays, data_model, tutorial

PARTS = (tutorial, data_model, arrays)
PROGRAMS = [program for part in PARTS for program in part.PROGRAMS]
globals().update({name: x for part in PARTS for name, x in vars(part).items()
                  if not name.startswith("__") and name not in ("PROGRAMS", "example", "entering")})
