"""Nominatim over HTTP: the client, its manners, and the source of places made of it."""
