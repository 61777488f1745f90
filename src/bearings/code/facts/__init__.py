"""What each file says, by the hash of its content: stored, packed, and held in memory."""
