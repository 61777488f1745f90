"""Java, by declaration."""
