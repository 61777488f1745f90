"""PHP, a declared language."""
