"""The files of a project: listing, reading and writing. No other package accesses the tree.

A tree is not trusted: no symbolic link below the root is followed, and no device or FIFO is opened. Everything that is
left out is listed with its reason.
"""
