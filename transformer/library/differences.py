"""Differences of neighbours, and sums of strips."""
import numpy as np

from .registry import means

NOTHING = np._NoValue  # what NumPy has where no argument is given
