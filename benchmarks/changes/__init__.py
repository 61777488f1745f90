"""How right `coderef_changes` is, beside commits that were judged by hand: `python -m benchmarks.changes FOLDER…`."""
