"""The proxies that docs/deploy.md shows, run for real."""
