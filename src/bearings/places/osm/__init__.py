"""A map of one's own: an index made from OpenStreetMap extracts, and the source that answers from it."""
