"""Calls of transformed functions: recorded as core, transformed, and put where they stand."""
