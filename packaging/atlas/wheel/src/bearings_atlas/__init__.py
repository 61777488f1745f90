"""The full atlas of bearings: `make atlas-wheel` writes the version and puts atlas.sqlite beside this file."""

__version__ = "0"
