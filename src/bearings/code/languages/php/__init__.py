"""PHP, by declaration."""
