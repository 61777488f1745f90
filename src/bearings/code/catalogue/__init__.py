"""A catalogue of many repositories: one SQLite file of what they export, which routes they have, and what they use."""
