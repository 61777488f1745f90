"""`python -m benchmarks [NAME…]`: runs the benchmarks and writes their tables to benchmarks/results."""

import importlib
import sys
from pathlib import Path

NAMES = ("gazetteer", "overhead", "scan")

for name in sys.argv[1:] or NAMES:
    table = importlib.import_module(f"benchmarks.{name}").main()
    (Path(__file__).parent / "results" / f"{name}.md").write_text(table, encoding="utf-8")
    print(table)
