"""The Nominatim source: its wire, its manners, its faults."""
