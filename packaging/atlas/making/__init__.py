"""The parts of `packaging/atlas/make.py`."""
