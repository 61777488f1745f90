"""`python -m benchmarks [NAME…]`: runs the benchmarks and writes their tables to benchmarks/results."""

import importlib
import sys
from pathlib import Path

NAMES = (
    "complexity",
    "references",
    "zeros",
    "fields",
    "applications",
    "edits",
    "hook",
    "hook_edits",
    "tasks",
    "fleet",
    "worktrees",
    "growth",
)

chosen = {name: importlib.import_module(f"benchmarks.{name}") for name in sys.argv[1:] or NAMES}
for name, module in chosen.items():  # a name that is none is found before any of them runs
    table = module.main()
    print(table)
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    (results / f"{name}.md").write_text(table, encoding="utf-8")
