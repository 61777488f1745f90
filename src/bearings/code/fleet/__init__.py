"""Many repositories: from a list of them to one catalogue. Nothing of a repository is run."""
