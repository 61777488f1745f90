"""The facts of each file, by the hash of its content: stored, packed, and held in memory."""
