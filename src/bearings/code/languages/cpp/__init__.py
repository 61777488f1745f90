"""C++, by declaration."""
