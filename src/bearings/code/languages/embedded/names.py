"""Names in the programs that are made of other formats."""

OPTIONS_NAME = "options"
"""What a component of Vue exports as its options, and the prefix of their members."""
