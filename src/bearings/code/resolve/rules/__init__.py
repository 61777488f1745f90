"""The rules of each family of languages, and what only one family needs."""
