"""Abusive peers: a real server in a process of its own, real sockets from several loopback addresses."""
