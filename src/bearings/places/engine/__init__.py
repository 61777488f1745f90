"""The parts of both local sources of places: keys of names, polygons, areas, ranking, files of SQLite."""
