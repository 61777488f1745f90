"""The edges of a file whose names are found through scopes and imports."""
