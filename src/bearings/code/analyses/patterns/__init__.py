"""Patterns in code, one detector a module. Detectors read facts and edges, and prefer a miss to a false report."""
