"""Asks the public server; run by hand only: `pytest -m live`."""
