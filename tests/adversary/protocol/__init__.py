"""Hostile lines and calls: each request with a readable id is answered, and the server lives."""
