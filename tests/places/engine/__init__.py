"""Tests of the engine of both local sources."""
