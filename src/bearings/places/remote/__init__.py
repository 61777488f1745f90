"""The parts of an HTTP backend that are the same for every server: pace, cache, deadlines, retries, typed errors."""
