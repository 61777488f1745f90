"""Draws docs/picture.svg, the picture of the README: `python docs/picture.py`. It runs the commands that it shows."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
WIDTH = 120
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_NOTE = re.compile(r" \[\d+ files, [^\]]*\]$")
"""What an answer says of its index, which is another at each run."""
COMMANDS = (
    ('bearings places bbox "Lake Tahoe"', 3),
    ("bearings code impact Station --project examples/tides", 5),
    ("bearings code reach Station.height --project examples/tides", 3),
)
"""What is shown, and how many lines of each answer."""


def main() -> None:
    """Writes the file."""
    console = Console(record=True, width=WIDTH, file=sys.stderr)
    for command, most in COMMANDS:
        words = [sys.executable, "-m", *shlex.split(command)]
        done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603 - ourselves
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
        for line in done.stdout.splitlines()[:most]:
            console.print(Text(_NOTE.sub("", line)), highlight=True, soft_wrap=False)
        console.print()
    drawn = console.export_svg(title="bearings", unique_id="bearings")
    local = _FONTS.sub("", drawn)  # a page that shows the picture asks no other host
    (ROOT / "docs" / "picture.svg").write_text(local, encoding="utf-8")


if __name__ == "__main__":
    main()
