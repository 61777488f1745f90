"""The engines: what answers questions about a project's code."""
