"""An oracle that runs: what a package's own tests execute, and whether the graph accounts for it."""
