"""C#, by declaration."""
