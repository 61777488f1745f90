"""The engine of the embedded sources: one SQLite file of names, points and polygons, and its queries."""
