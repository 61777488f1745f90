"""Go: packages are folders, implementing is never said."""
