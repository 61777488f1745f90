"""Changes of sources that keep what a program does: which places belong to an element, and how files are written."""
