"""Checks of derivatives against finite differences, for users' tests and ours."""
from gradscribe.transformer.functions.sweeps import Primal as primal
from gradscribe.transformer.testing import check_grads, stages

__all__ = ["check_grads", "primal", "stages"]
