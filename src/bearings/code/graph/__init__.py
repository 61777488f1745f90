"""The resolved project as an immutable graph, and the lookup tables behind it."""
