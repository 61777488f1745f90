"""Go: packages are folders, and types implement interfaces without naming them."""
