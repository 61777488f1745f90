"""Languages whose names are not resolved through scopes: calls lead to elements of the same name."""
