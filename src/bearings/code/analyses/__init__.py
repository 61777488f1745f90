"""What can be asked of a graph beyond its edges: pure functions of a snapshot, one question a module."""
