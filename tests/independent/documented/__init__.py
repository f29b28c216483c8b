"""Programs in the manner of the documentations; `tests.independent.documentation` has them all."""
