"""Standard input and output in the place of files, for commands that need files."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STANDARD = Path("-")
"""Standard input as a path to read, standard output as one to write."""


@contextmanager
def piped(given: Mapping[str, Any], form_in: str, form_out: str) -> Iterator[dict[str, Path]]:
    """Files for the arguments `path` and `out` that are STANDARD, by their names, with suffixes for their formats.

    All of standard input is there when the block begins; what the block wrote is printed when it ends well.
    """
    with tempfile.TemporaryDirectory(prefix="bearings-") as folder:
        paths = {}
        if given["path"] == STANDARD:
            paths["path"] = Path(folder) / f"in.{form_in}"
            with paths["path"].open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        if given["out"] == STANDARD:
            paths["out"] = Path(folder) / f"out.{form_out}"
        yield paths
        if "out" in paths:
            with paths["out"].open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()
