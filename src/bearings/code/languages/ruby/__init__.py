"""Ruby, by declaration."""
