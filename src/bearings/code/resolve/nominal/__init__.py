"""Languages with declared types, whose classes differ by name: names, types, members, calls."""
