"""A project at a glance: what it is, how it hangs together, what matters in it."""

import msgspec

from bearings.code.answers.elsewhere import Unread
from bearings.code.models import SymbolKind


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """The skeleton: files, and below each `line: head` of its elements; how much of the project that is."""

    skeleton: str
    focus: str
    files_shown: int
    files: int
    elements_shown: int
    elements: int


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """What a manifest says."""

    manifest: str
    name: str
    description: str
    scripts: tuple[str, ...]
    dependencies: tuple[str, ...]


class LanguageShare(msgspec.Struct, frozen=True, kw_only=True):
    """How much of the project is in a language."""

    language: str
    files: int
    lines: int


class Folder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder of the project as a part of its architecture. `uses` are other folders, those used most first."""

    path: str
    files: int
    elements: int
    uses: tuple[str, ...]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Where the project is entered, and what makes it an entrance."""

    element: str
    why: str


class KeyElement(msgspec.Struct, frozen=True, kw_only=True):
    """A central element. `users` are the elements outside tests that use it; None: nobody can say.

    Of one without any, `mentions` are the other lines of the project that hold its word; None: they were not counted.
    """

    element: str
    type: SymbolKind
    signature: str
    doc: str
    users: int | None
    mentions: int | None = None


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What someone new to the project should read first; each list with the most important first.

    What the other lists can't know: `not_understood` are frameworks whose endpoints are not found, `unread` files in
    languages that are not read.
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
