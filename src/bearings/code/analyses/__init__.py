"""Analyses of a snapshot beyond its edges: pure functions, one question a module."""
