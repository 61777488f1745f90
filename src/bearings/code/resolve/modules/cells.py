"""Cells: what a file's uses may depend on beside other files, as a folder's list of files, or all elements of a name.

A cell has a name like a path with a slash in it that no file has. When its content changes, the files that consulted
the cell are resolved again. Tables of the whole project (see strategy.py) say what a cell holds, by entries:

    pkg/                     the modules and packages in a folder of Python
    pkg/.go/                 the list of the Go files in a folder
    app/useCart/.ambient/    the files that export `useCart` without an import, in a project of Nuxt
"""

from collections.abc import Collection, Mapping
from typing import Final

Entry = tuple[str, str, str]
"""A cell, the name of a declaration in it, and the declaration's data."""

Names = Mapping[str, Collection[tuple[str, Entry]]]
"""Names that files see without an import: by cell, the entries with their files."""
EXPORTED, OWN_NAME = "exported", "own"
"""The data of such an entry: it names an export, or a declaration at the top of the file."""

FILES_CELL: Final = "/.go/"
"""The end of the cell of the list of a folder's files, in a language whose packages are folders."""


def cell_of(folder: str) -> str:
    """The cell of a package's folder."""
    return f"{folder}/"


def files_cell(folder: str) -> str:
    """The cell of the list of a folder's files."""
    return f"{folder}{FILES_CELL}"
