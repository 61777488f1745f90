"""Languages whose classes are told apart by name, and whose types are declared: names, types, members, calls."""
