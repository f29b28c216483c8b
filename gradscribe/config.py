"""JAX's `jax.config`, for the options that mean something here."""
from __future__ import annotations

from typing import Any

from gradscribe.transformer.errors.messages import GradscribeError
from gradscribe.transformer.tools import watches

from . import _keys

SWITCHES = {"jax_debug_nans": "nans", "jax_debug_infs": "infs"}


def update(name: str, value: Any) -> None:
    """Set an option of JAX's.

    Parameters
    ----------
    name : {"jax_enable_x64", "jax_debug_nans", "jax_debug_infs", "jax_platforms", "jax_platform_name"}
        The option.  "jax_enable_x64": are random numbers whose dtype is not said float64 and int64?  At first they are
        float32 and int32, as JAX's.  (All else has NumPy's dtypes, whatever the option says.)  "jax_debug_nans",
        "jax_debug_infs": is the line looked for where they come from, as by `gs.debug.nans`?  "jax_platforms",
        "jax_platform_name": what it runs on.
    value : bool or str
        Of the option; "cpu" of the platforms.

    Raises
    ------
    GradscribeError
        For other options and values.

    Notes
    -----
    What is compiled is compiled again for another value.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.config.update("jax_enable_x64", True)
    >>> gs.random.uniform(gs.random.key(0)).dtype
    dtype('float64')
    >>> gs.config.update("jax_enable_x64", False)
    """
    if name == "jax_enable_x64":
        _keys._width = "64" if value else "32"
    elif name in SWITCHES:
        watches.set_everywhere(**{SWITCHES[name]: bool(value)})
    elif name not in ("jax_platforms", "jax_platform_name"):
        raise GradscribeError(None, f"gs.config has no option {name!r}", "Take the line away, or see docs/from-jax.md.")
    elif value != "cpu":
        raise GradscribeError(None, f"{name} is \"cpu\", not {value!r}: gradscribe runs on the CPU", "Give \"cpu\".")


def __getattr__(name: str):
    if name == "jax_enable_x64":
        return _keys._width == "64"
    if name in SWITCHES:
        return getattr(watches.everywhere, SWITCHES[name])
    raise AttributeError(f"gs.config has no option {name!r}")


__all__ = ["update"]
