"""Resolves the uses of one element, in the files that may have some, without an index of the whole project."""
