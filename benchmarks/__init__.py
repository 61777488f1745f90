"""Speeds, as ratios to named peers measured in the same run: `make bench`."""
