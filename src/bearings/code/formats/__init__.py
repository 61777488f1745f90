"""Formats that the graph is written in."""
