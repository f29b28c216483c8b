"""docs/kinks.md says what the program gives at kinks, poles and ties;
where JAX gives something else there is a reason."""
import sys
from pathlib import Path

import pytest

import gradscribe as gs

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))
import make_kinks  # noqa: E402

REASONS = {  # why it is not as in JAX
    "np.abs(x)": "an even function has the slope 0 at 0, whatever the sign of the zero; NaN has no slope",
    "np.copysign(x, 1.0)": "it is abs(x)",
    "np.power(-2.0, x)": "of a negative base the logarithm is left out, as for whole exponents",
    "np.power(x, x)": "x * log(x) falls for ever faster towards 0",
    "np.power(0.0, x)": "it falls from 1 to 0 at once",
    "np.hypot(x, 0.0)": "as of a norm: its minimum",
    "np.linalg.norm(np.stack([x, x]))": "its minimum, as of abs",
    "np.std(np.stack([x, 1.0]))": "a norm",
    "np.max(np.stack([x, 1.0]))": "no element is nan, as for np.maximum(x, 1.0)",
    **dict.fromkeys(("np.where(x > 0, np.log(x), 0.0)", "np.where(x > 0, np.sqrt(x), 0.0)",
                     "np.where(x != 0, 1.0 / x, 0.0)", "np.where(x != 0, np.sin(x) / x, 1.0)"),
                    "what was not chosen has no part in it"),
    "np.linalg.norm(np.stack([x, 1.0]), 1)": "a sum of abs",
    "special.xlogy(x, x)": "log(x) + 1, which has no NaN",
}


@pytest.mark.heavy(one_in=2)
def test_the_page_is_what_the_program_gives():
    assert (DOCS / "kinks.md").read_text(encoding="utf-8") == make_kinks.page(), "python docs/make_kinks.py"


@pytest.mark.heavy(one_in=2)
def test_where_jax_differs_there_is_a_reason():
    differ = {expression for expression, found in make_kinks.results().items()
              for (_, value, slope), jaxs in zip(found, make_kinks.RECORDED[expression], strict=True)
              if not make_kinks.agree((value, slope), [float(n) for n in jaxs])}
    assert differ == set(REASONS)


@pytest.mark.heavy(one_in=26)
def test_compiled():
    plain = make_kinks.results()
    for expression, found in make_kinks.results(gs.jit).items():
        for one, other in zip(found, plain[expression], strict=True):
            assert make_kinks.agree(one[1:], other[1:]), (expression, one, other)
