"""Random programs against every stage of the transformer (`python -m tests.fuzz --help`)."""
