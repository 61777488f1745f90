"""Builds the atlas from the data packages: at build time only, never in a server."""
