"""Checks of derivatives against finite differences, for users' tests and ours."""
from gradscribe.transformer.testing import check_grads, stages
from gradscribe.transformer.functions.transformed import Primal as primal

__all__ = ["check_grads", "primal", "stages"]
