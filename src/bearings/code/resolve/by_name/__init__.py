"""Languages whose names are not followed: calls lead to what has the same name."""
