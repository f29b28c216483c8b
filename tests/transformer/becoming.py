"""What a pass makes of a program is another one."""
import textwrap

from gradscribe.transformer.core import core_text
from gradscribe.transformer.core.verifier import verify
from tests.transformer.coretext import core


def becomes(pass_, before, after):
    out = core_text(verify(pass_(core(before)), after=pass_.__name__))
    assert out.strip() == textwrap.dedent(after).strip(), out
