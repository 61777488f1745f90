"""Python: its rules, and the files of dotted names."""
