"""A real Nominatim on loopback for tests and for trying things out: `python3 -m tests.nominatim_server --help`.

Nominatim is GPL: it lives in a virtual environment of its own and is only ever spoken to over HTTP.
"""
