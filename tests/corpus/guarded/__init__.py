"""Programs with a pole under a guard, by trade; `tests.corpus.poles` has their tables."""
