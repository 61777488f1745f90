"""Processes that are killed at any moment: the next answer is right, and nothing is left behind."""
