"""Programs of the corpus, by the construct of the language that each adds; `tests.corpus.programs` has their table."""
