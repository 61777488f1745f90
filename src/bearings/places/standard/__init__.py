"""Nominatim's HTTP interface over this program's sources: /search, /reverse, /lookup, /status."""
