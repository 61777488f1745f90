"""Nominatim over HTTP: its wire format, a client, and the source of places."""
