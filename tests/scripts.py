"""Programs that tests write."""

import shlex
import sys
from pathlib import Path


def python_script(path: Path, text: str) -> Path:
    """A program of Python and its own library alone.

    A shell starts it, as `#!` can't name an interpreter whose path has blanks, or is long; packages are left out (-S),
    as Python can't read the path of an installation that has letters beyond ASCII in the locale that git runs in.
    """
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -S -c {shlex.quote(text)} "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path
