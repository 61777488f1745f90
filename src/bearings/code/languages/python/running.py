"""The command that runs Python's tests."""

import shlex
from collections.abc import Mapping, Sequence


def command(files: Sequence[str], _: Mapping[str, bytes]) -> str:
    """Return the command that runs the files with pytest, which also runs tests of unittest."""
    return f"python -m pytest {shlex.join(files)}"
