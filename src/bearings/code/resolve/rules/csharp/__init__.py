"""The rules of C#."""
