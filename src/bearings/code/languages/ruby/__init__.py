"""Ruby, a declared language."""
