"""Builds the full atlas from the data packages and the committed features: in a checkout only, never in a server."""
