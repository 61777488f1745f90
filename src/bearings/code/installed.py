"""Installed packages in a project's folder: no part of the project, but their declarations say what they give it.

    node_modules/hono/dist/types/hono.d.ts        .venv/lib/python3.12/site-packages/attr/__init__.pyi

The resolver reads them one file at a time, when an expression needs one. No edge leads to them or begins there.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from bearings.code.file_facts import FileFacts
from bearings.code.models import Installed

NODE: Final = "node_modules"
PYTHON: Final = "site-packages"
_FOLDER: Final = re.compile(rf"(?:^|/)(?:{NODE}|{PYTHON})/")


def is_installed(path: str) -> bool:
    """Whether a path is of an installed package: the project's own files have no such folder around them."""
    return (f"{NODE}/" in path or f"{PYTHON}/" in path) and _FOLDER.search(path) is not None


def with_installed(own: Mapping[str, FileFacts], installed: Installed | None) -> Mapping[str, FileFacts]:
    """The facts of a project, and those of installed files, which are not counted among them."""
    return own if installed is None else _WithInstalled(own, installed)


class _WithInstalled(Mapping[str, FileFacts]):
    """See with_installed."""

    def __init__(self, own: Mapping[str, FileFacts], installed: Installed) -> None:
        self._own = own
        self._installed = installed

    def __getitem__(self, path: str) -> FileFacts:
        facts: FileFacts = self._installed.facts(path) if is_installed(path) else self._own[path]
        return facts

    def __contains__(self, path: object) -> bool:
        return path in self._own or (isinstance(path, str) and is_installed(path))

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)
