"""Endpoints with their whole paths, and the requests that lead to them."""
