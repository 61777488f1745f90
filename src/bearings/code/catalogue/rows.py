"""The contents of one repository in a catalogue, as plain rows. Paths are relative to the repository."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec


class ExportRow(NamedTuple):
    """A symbol that other files can use; tests are left out."""

    name: str
    qualified_name: str
    kind: str
    file: str
    line: int
    signature: str


class RouteRow(NamedTuple):
    """An endpoint: `method` is upper case or ANY, `path` is in the syntax of the framework `by`."""

    method: str
    path: str
    file: str
    line: int
    handler: str
    by: str


class RequestRow(NamedTuple):
    """A request with a literal URL. `method` is empty if unknown; `path` has `{}` for each computed segment."""

    method: str
    path: str
    file: str
    line: int
    text: str
    element: str


class UseRow(NamedTuple):
    """A use of a package from outside, at one line.

    `module` is the import as written, `package` the part of it that is installed. `name` is dotted from the module, and
    empty for the module itself; `Session().get` is a member of an object that `Session` gives, a guess. `element` is
    the enclosing one as `qualified.name:line`, empty at the top of a file. `text` is the line of source.
    """

    package: str
    module: str
    name: str
    kind: str
    file: str
    line: int
    text: str
    element: str
    is_guess: bool


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of one repository, as they were read.

    `fingerprint` is of its files and of the code that read them. `is_known`: it is the expected one, and nothing else
    was read. `commit` is empty without git; `note` says what could not be read.
    """

    fingerprint: str
    is_known: bool = False
    commit: str = ""
    note: str = ""
    files: int = 0
    elements: int = 0
    languages: dict[str, int] = {}
    exports: Sequence[ExportRow] = ()
    routes: Sequence[RouteRow] = ()
    requests: Sequence[RequestRow] = ()
    uses: Sequence[UseRow] = ()
