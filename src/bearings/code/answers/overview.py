"""A project at a glance: its manifests, its structure, its central elements."""

import msgspec

from bearings.code.answers.elsewhere import Unread
from bearings.code.models import SymbolKind


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The skeleton: files, below each `line: head` of its elements, and the share of the project that it shows."""

    skeleton: str
    focus: str
    files_shown: int
    files: int
    elements_shown: int
    elements: int


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a manifest."""

    manifest: str
    name: str
    description: str
    scripts: tuple[str, ...]
    dependencies: tuple[str, ...]


class LanguageShare(msgspec.Struct, frozen=True, kw_only=True):
    """The share of a language in the project."""

    language: str
    files: int
    lines: int


class Folder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder as a part of the architecture. `uses` are other folders, the most used first."""

    path: str
    files: int
    elements: int
    uses: tuple[str, ...]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry point of the project, and why it is one."""

    element: str
    why: str


class KeyElement(msgspec.Struct, frozen=True, kw_only=True):
    """A central element. `users` counts the elements outside tests that use it; None if unknown.

    For an element without users, `mentions` counts other lines with its name; None if they were not counted.
    """

    element: str
    type: SymbolKind
    signature: str
    doc: str
    users: int | None
    mentions: int | None = None


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """The first things to read in an unknown project; each list has the most important entries first.

    Limits of the other lists: `not_understood` are frameworks whose endpoints are not found, `unread` are files in
    languages that are not parsed.
    """

    packages: tuple[Package, ...]
    languages: tuple[LanguageShare, ...]
    architecture: tuple[Folder, ...]
    entry_points: tuple[Entry, ...]
    key_elements: tuple[KeyElement, ...]
    test_patterns: tuple[str, ...]
    conventions: tuple[str, ...]
    not_understood: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
