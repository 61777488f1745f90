"""The proxies of docs/deploy.md, as real processes."""
