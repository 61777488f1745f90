"""Programs that tests write."""

import shlex
import sys
from pathlib import Path


def python_script(path: Path, text: str) -> Path:
    """A program of Python; a shell starts it, as `#!` can't name an interpreter whose path has blanks, or is long."""
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(text)} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path
