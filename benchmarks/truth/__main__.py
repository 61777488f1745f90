"""`python -m benchmarks.truth misses FOLDER [PACKAGE…]`: missed and wrong edges of the dev set, a file a package."""

import sys
from pathlib import Path

from benchmarks.truth.misses import listing
from benchmarks.truth.packages import DEV, PACKAGES

if len(sys.argv) < 3 or sys.argv[1] != "misses":
    sys.exit(__doc__)
folder, wanted = Path(sys.argv[2]), sys.argv[3:]
folder.mkdir(parents=True, exist_ok=True)
for package in PACKAGES:
    if package.set == DEV and (not wanted or package.label in wanted):
        text = listing(package)
        (folder / f"{package.label.replace('/', '_')}.txt").write_text(text, encoding="utf-8")
        print(text.splitlines()[0], flush=True)
