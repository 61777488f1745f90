"""Swift, by declaration."""
