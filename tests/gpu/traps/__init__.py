"""Programs on which parting for a GPU could go wrong, by topic; `tests.gpu.trapped` has their table."""
