"""An overview of a project: its packages, architecture and central elements."""

import msgspec

from bearings.code.answers.elsewhere import Unread
from bearings.code.models import SymbolKind


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The skeleton: files, and below each `line: head` of its elements; with the counts shown and in total."""

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
    """An entry point, and the reason that it is one."""

    element: str
    why: str


class KeyElement(msgspec.Struct, frozen=True, kw_only=True):
    """A central element. `users` counts the elements outside tests that use it; None if unknown.

    For an element without users, `mentions` counts the other lines that contain its word; None if not counted.
    """

    element: str
    type: SymbolKind
    signature: str
    doc: str
    users: int | None
    mentions: int | None = None


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """The context that a newcomer needs first; each list has the most important first.

    The limits of the other lists: `not_understood` are frameworks whose endpoints are not found, `unread` files in
    unsupported languages.
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
