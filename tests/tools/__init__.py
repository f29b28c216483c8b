"""Tools for generated source."""
