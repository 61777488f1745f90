"""C++, a declared language."""
