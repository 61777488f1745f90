"""The command line: the composition root, and the only one. What it prints is made of the tools' replies."""
