"""The index of a project: finds what changed, parses and resolves it in parallel, keeps snapshots on disk."""
