"""C, a declared language."""
