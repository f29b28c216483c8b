"""What gradscribe raises and warns of.

    GradscribeError          all of them
    ├── UnsupportedError     no rule for what the function does; MissingName and MissingAttribute are also Python's own
    ├── SpecialisationError  the arguments do not fit
    ├── ImpurityError        a side effect
    ├── DeviceError          a GPU that is not there, or has failed
    └── RefusedValue         a value that is refused; of a range, RefusedRange
    OutOfStep                a RuntimeError: devices or processes that do not come to the same collectives
"""
from gradscribe.runtime.plain.collectives import OutOfStep
from gradscribe.transformer.errors.messages import (ConstantSizesWarning, DeviceError, GradscribeError, ImpurityError,
                                                    MissingAttribute, MissingName, RefusedRange, RefusedValue,
                                                    SpecialisationError, UnrolledWarning, UnsupportedError)

__all__ = ["ConstantSizesWarning", "DeviceError", "GradscribeError", "ImpurityError", "MissingAttribute", "MissingName",
           "OutOfStep", "RefusedRange", "RefusedValue", "SpecialisationError", "UnrolledWarning", "UnsupportedError"]

for name in __all__:  # users see them here, and so do what prints and pickles them
    globals()[name].__module__ = __name__
del name
