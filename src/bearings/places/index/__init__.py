"""The engine of the embedded sources: one SQLite file with names, points and polygons, and the questions asked of it."""
