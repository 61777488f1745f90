"""Swift, a declared language."""
