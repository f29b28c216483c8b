"""What was once wrong is found again: each mistake is put back, and who is known to find it says so,
and says nothing without it."""
import warnings

import numpy as np
import pytest

from tests.support.cases import rotating

from . import finders
from .child import Children, counts
from .findings import FINDINGS
from .patching import ANEW, misfit
from .records import MARKS, PAGE, load, table

RECORDS = load()


@pytest.fixture(scope="module")
def children(tmp_path_factory):
    """What has a mistake in it never goes into the cache folder that others use."""
    shared = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADSCRIBE_CACHE_DIR", str(shared))
        made = Children()
    yield made
    made.end()
    assert not list(shared.iterdir())


@pytest.mark.heavy(one_in=54)
@pytest.mark.parametrize("name", rotating(FINDINGS, 4))
def test_it_is_found_again(name, children):
    assert name in RECORDS, "who finds it?  python -m tests.found_again"
    assert not (why := misfit(FINDINGS[name])), f"{why}\n{ANEW}"
    look, where = RECORDS[name]["look"], RECORDS[name]["where"]
    reply = children.ask(name=name, look=look, where=where)
    assert "broken" not in reply, reply["broken"]
    assert reply["says"] and counts(FINDINGS[name], reply["says"]), (f"{look}, {where} does not find it any more, "
                                                                     f"but says {reply['says']}")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        says = finders.tried(look, where)
    assert (not says or says.startswith("refused")
            and not FINDINGS[name].refused), f"it says so without the mistake, too: {says}"


def test_each_can_be_put_back():
    misfits = list(filter(None, map(misfit, FINDINGS.values())))
    assert not misfits, "\n".join([*misfits, ANEW])


def test_each_is_found_among_the_first_5000():
    assert not [name for name, record in RECORDS.items() if not 0 < record["after"] <= finders.MOST]


@pytest.mark.heavy(one_in=5)
def test_the_page_shows_them():
    text = PAGE.read_text(encoding="utf-8")
    assert (text.split(MARKS[0])[1].split(MARKS[1])[0].strip()
            == table(RECORDS).strip()), "python -m tests.found_again --page"
