"""C#, a declared language."""
