"""Python: which file a dotted name means."""
