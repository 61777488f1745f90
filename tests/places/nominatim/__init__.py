"""The Nominatim source: its wire format, its client, its faults."""
