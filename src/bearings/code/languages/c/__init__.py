"""C, by declaration."""
