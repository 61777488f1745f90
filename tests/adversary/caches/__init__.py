"""Caches that somebody else has written."""
