"""Programs of Python's own semantics, by topic; `tests.corpus.language` has their table."""
