"""The command that runs Go's tests."""

import shlex
from collections.abc import Mapping, Sequence


def command(files: Sequence[str], _: Mapping[str, bytes]) -> str:
    """Return the command that runs the packages of the files."""
    packages = dict.fromkeys(f"./{file.rpartition('/')[0]}".rstrip("/") for file in files)
    return f"go test {shlex.join(packages)}"
