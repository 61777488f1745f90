"""The HTTP parts of a backend: pace, cache, single flight, faults; and a second backend made of them."""
