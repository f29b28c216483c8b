"""The traps, by what is easy to get wrong; `tests.corpus.traps` has their table."""
