"""The command line and the only composition root. Its output comes from the tools' replies."""
