"""Java, a declared language."""
