"""What both local sources of places are made of: keys of names, polygons, areas, ranking, files of SQLite."""
