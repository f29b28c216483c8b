"""Where a power of Python's floats raises, asked before it is computed."""
import numpy as np

ZERO_POWER = "0.0 cannot be raised to a negative power"
TOO_LARGE = (("constant", 34), ("constant", "Numerical result out of range"))


def has_power(base, exponent):
    return base != 0 or exponent >= 0


def power_is_finite(base, exponent):
    """Is it no number that is too large?  What is infinite or 0 to begin with may give what is infinite."""
    with np.errstate(all="ignore"):
        size = np.abs(np.float64(base)) ** np.float64(exponent)
    return bool(size != np.inf or base == 0 or np.isinf(base) or np.isinf(exponent))
