"""How Python's tests are run."""

import shlex
from collections.abc import Mapping, Sequence


def command(files: Sequence[str], _: Mapping[str, bytes]) -> str:
    """Some files of tests, by pytest, which runs unittest's too."""
    return f"python -m pytest {shlex.join(files)}"
