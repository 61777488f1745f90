"""Hostile repositories: those that would have git run a program of theirs, and those that lead outside."""
