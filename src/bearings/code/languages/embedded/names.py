"""Names in the programs that are made of other formats."""

OPTIONS_NAME = "options"
"""The variable that holds the options of a Vue component in its program."""
