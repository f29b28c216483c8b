"""What the tests of functions that are transformed anew share."""
import pytest

from gradscribe.transformer.programs import cache, reuse


@pytest.fixture
def made(monkeypatch):
    """The specialisations that are made."""
    found, before = [], cache.specialise

    def counted(fun, *args):
        found.append(fun)
        return before(fun, *args)
    reuse.entries.clear()
    monkeypatch.setattr(cache, "specialise", counted)
    yield found
    reuse.entries.clear()
