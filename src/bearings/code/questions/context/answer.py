"""The replies of coderef_context and coderef_map."""

from collections.abc import Sequence

from msgspec import field

from bearings.code.models import SymbolKind
from bearings.code.replies.element import known
from bearings.code.replies.elsewhere import Unread
from bearings.reply import Label, Part, Prose, SymbolName


class Package(Part):
    """The content of a manifest."""

    manifest: SymbolName
    name: Label
    description: Prose
    scripts: Sequence[Label]
    dependencies: Sequence[Label]


class LanguageShare(Part):
    """The share of a language in the project."""

    language: str
    files: int
    lines: int


class Folder(Part):
    """A part of the architecture, and the parts that it uses, with counts."""

    path: SymbolName
    files: int
    elements: int
    uses: Sequence[SymbolName]


class Entry(Part):
    """An entry point, and the reason that it is one."""

    element: SymbolName
    why: Label


class KeyElement(Part):
    """A central element and its number of users (absent if unknown); without users, the lines with its word."""

    element: SymbolName
    type: SymbolKind
    signature: SymbolName
    doc: Prose
    users: int | None = None
    mentions: int | None = None


class Sections(Part):
    """The parts of a context."""

    packages: Sequence[Package]
    languages: Sequence[LanguageShare]
    architecture: Sequence[Folder]
    entry_points: Sequence[Entry]
    key_elements: Sequence[KeyElement]
    test_patterns: Sequence[Label]
    conventions: Sequence[str]
    not_understood: Sequence[Label] = field(default_factory=list)
    unread: Sequence[Unread] = field(default_factory=list)
    own_imports: Sequence[Label] = field(default_factory=list)

    def to_markdown(self) -> str:
        """The sections as a Markdown page."""
        lines = ["# Project"]
        for package in self.packages:
            about = f": {package.description}" if package.description else ""
            lines.append(f"- **{package.name or package.manifest}** ({package.manifest}){about}")
            lines += [f"  - needs {', '.join(package.dependencies)}"] if package.dependencies else []
            lines += [f"  - `{script}`" for script in package.scripts]
        lines += [f"- {share.language}: {share.files} files, {share.lines} lines" for share in self.languages]
        lines += ["", "# Architecture"]
        for folder in self.architecture:
            uses = f" → {', '.join(folder.uses)}" if folder.uses else ""
            lines.append(f"- `{folder.path}` {folder.files} files, {folder.elements} elements{uses}")
        if self.entry_points:
            lines += ["", "# Entry points", *(f"- `{entry.element}` {entry.why}" for entry in self.entry_points)]
        lines += ["", "# Key elements"]
        for key in self.key_elements:
            doc = f" – {key.doc}" if key.doc else ""
            mentions = f", {key.mentions} other lines contain its word" if key.mentions else ""
            lines.append(f"- `{key.element}` ({key.type}, {known(key.users)} users{mentions}): `{key.signature}`{doc}")
        lines += ["", "# Tests", *(f"- {pattern}" for pattern in self.test_patterns)]
        if self.conventions:
            lines += ["", "# Conventions", *(f"- {habit}" for habit in self.conventions)]
        if self.not_understood or self.unread or self.own_imports:
            lines += ["", "# Not understood"]
            lines += [f"- endpoints of {framework}" for framework in self.not_understood]
            lines += [f"- the language of {row.to_text()} files" for row in self.unread]
            lines += [f"- {line}" for line in self.own_imports]
        return "\n".join(lines)
