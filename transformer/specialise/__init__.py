"""The partial evaluator: a user's function and the types of its arguments -> typed, pure core."""
from .entry import Specialised, specialise

__all__ = ["Specialised", "specialise"]
