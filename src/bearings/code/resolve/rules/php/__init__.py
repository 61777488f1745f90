"""The rules of PHP."""
