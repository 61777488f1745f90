"""How Go's tests are run."""

import shlex
from collections.abc import Mapping, Sequence


def command(files: Sequence[str], _: Mapping[str, bytes]) -> str:
    """The packages that hold some files of tests."""
    packages = dict.fromkeys(f"./{file.rpartition('/')[0]}".rstrip("/") for file in files)
    return f"go test {shlex.join(packages)}"
