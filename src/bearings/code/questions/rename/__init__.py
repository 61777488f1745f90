"""A new name for an element, wherever it is used."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from bearings.budget import REPLY_BUDGET, room
from bearings.code.asking.opening import Asking, index_of, size_of, within
from bearings.code.asking.question import Reading, ToolQuestion
from bearings.code.replies.edits import EditedFile, PlaceOfName
from bearings.code.replies.element import IndexInfo, path_line
from bearings.reply import Reply, SymbolName
from bearings.untrusted import clean_line, escape_text

_DIFFERENCE = 15_000
"""Characters of the diff."""

_MOST_PLACES = 200


class RenameReply(Reply):
    """A rename: `places` in `files_changed` files get `new_name`. With `refused` places, nothing is written.

    `left` are places with the name that stay as they are, because they mean something else: `left_total` in all.
    """

    element: SymbolName
    new_name: SymbolName
    dry_run: bool
    written: bool
    places: int
    files_changed: int
    refused: list[PlaceOfName]
    refused_total: int
    files: list[EditedFile]
    left: list[PlaceOfName]
    left_total: int
    diff: str | None = None
    note: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """What is done or refused, the files, and the diff."""
        done = "renamed" if self.written else "refused" if self.refused_total else "not written"
        head = f"{self.element} -> {self.new_name}: {self.places} places in {self.files_changed} files, {done}"
        parts = [f"{head} {self.index.to_text()}"]
        parts += ["refused because of:", *(place.to_text() for place in self.refused)] if self.refused else []
        parts += [file.to_text() for file in self.files]
        if self.left:
            parts += [f"left as they are ({self.left_total}):", *(place.to_text() for place in self.left)]
        parts += [self.diff] if self.diff else []
        return "\n".join([*parts, *([self.note] if self.note else [])])


class PlaceRow(msgspec.Struct, frozen=True):
    """A place with the name, and why it is not edited."""

    file: str
    line: int
    why: str
    source: str


class Edited(msgspec.Struct, frozen=True, kw_only=True):
    """What is or would be written: places by file, the places that forbid it, the first places that stay."""

    element: str
    written: bool
    places: dict[str, int]
    refused: tuple[PlaceRow, ...]
    refused_total: int
    left: tuple[PlaceRow, ...]
    left_total: int
    diff: str
    undrawn: int
    note: str


class Rename(ToolQuestion[Edited, RenameReply], frozen=True, kw_only=True):
    """Rename an element with its uses, imports, re-exports, overloads and overriding methods, in all files.

    Shows the diff first; dry_run false writes it: all files or none. Refuses, with the places, where a use can't be
    told from something else, or where the new name is taken. Renaming back restores every byte.
    Example: {"project_path": "/home/me/app", "element": "formatPrice", "new_name": "showPrice"}
    """

    title = "Rename an element"
    place = 152
    writes = True
    answer = Edited
    element: Annotated[str, Meta(min_length=1, max_length=2000, description="As in coderef_symbol.")]
    new_name: Annotated[str, Meta(min_length=1, max_length=200, description="The name alone, without its owner.")]
    dry_run: Annotated[bool, Meta(description="Only show the difference.")] = True
    strings: Annotated[bool, Meta(description="Also in strings.")] = False
    comments: Annotated[bool, Meta(description="Also in comments.")] = False
    leave_unsure: Annotated[
        bool, Meta(description="Rename in spite of places that may be uses; they keep the old name.")
    ] = False
    max_chars: int = _DIFFERENCE

    def compute(self, reading: Reading) -> Edited:
        """The plan, which is written unless it is refused or a dry run. Raises the errors of `reply`."""
        from bearings.code.analyses.targets import find_element
        from bearings.code.questions.rename.analysis import plan
        from bearings.code.refactoring.edits import difference, write_all
        from bearings.code.refactoring.places import Options

        symbol = find_element(reading.snapshot, self.element, "element")
        options = Options(self.strings, self.comments)
        found = plan(reading, symbol, self.new_name, options, leave_unsure=self.leave_unsure)
        writes = not (self.dry_run or found.refused)
        if writes:
            write_all(reading.snapshot.root, found.changes)
        source = reading.lines.at if not writes else lambda _path, _line: ""
        diff, undrawn = drawn((difference(change) for change in found.changes), self.max_chars)
        return Edited(
            element=symbol.id,
            written=writes,
            places=found.places,
            refused=rows(found.refused, source),
            refused_total=len(found.refused),
            left=rows(found.left, source),
            left_total=len(found.left),
            diff=diff,
            undrawn=undrawn,
            note=found.note,
        )

    async def reply(self, asking: Asking) -> RenameReply:
        """The reply within the budget.

        Raises ElementNotFound, Ambiguous, InvalidInput, Unsupported, WriteFailed, and the errors of a scan.
        """
        answer = await asking.answer(msgspec.structs.replace(self, max_chars=room(_DIFFERENCE)))
        found = answer.value
        reply = RenameReply(
            element=path_line(found.element),
            new_name=path_line(self.new_name),
            dry_run=self.dry_run,
            written=found.written,
            places=sum(found.places.values()),
            files_changed=len(found.places),
            refused=[],
            refused_total=found.refused_total,
            files=[],
            left=[],
            left_total=found.left_total,
            note=" ".join(filter(None, (found.note, _advice(found, dry_run=self.dry_run)))) or None,
            index=index_of(answer.index),
        )
        fill(reply, found)
        return reply


def fill(reply: RenameReply, found: Edited) -> None:
    """Set the lists of a reply, as much as fits: the refused places, the diff, the files, the places that stay."""
    reply.refused = within(reply, [_place(row) for row in found.refused])
    reply.diff = escape_text(found.diff) or None
    if size_of(reply) > room(REPLY_BUDGET):
        reply.diff = None
    reply.files = within(reply, [EditedFile(file=path_line(path), places=n) for path, n in found.places.items()])
    if size_of(reply) < room(REPLY_BUDGET) // 2:
        reply.left = within(reply, [_place(row) for row in found.left[:20]])


def drawn(diffs: Iterable[str], room_for: int) -> tuple[str, int]:
    """The first whole diffs that fit, and the number of the others."""
    parts: list[str] = []
    left = 0
    for diff in diffs:
        if left or sum(map(len, parts)) + len(diff) > room_for:
            left += 1
        else:
            parts.append(diff)
    return "".join(parts), left


def rows(places: Sequence[tuple[str, int, str]], source: Callable[[str, int], str]) -> tuple[PlaceRow, ...]:
    """The first places, each once, with their lines of source."""
    some = list(dict.fromkeys(places))[:_MOST_PLACES]
    return tuple(PlaceRow(file, line, why, source(file, line)[:200]) for file, line, why in some)


def _place(row: PlaceRow) -> PlaceOfName:
    return PlaceOfName(
        file=path_line(row.file), line=row.line, why=clean_line(row.why), source=clean_line(row.source) or None
    )


def _advice(found: Edited, *, dry_run: bool) -> str:
    if found.refused_total:
        return "Nothing was written. Edit the refused places first, or pass leave_unsure, strings or comments."
    hidden = f" The diffs of {found.undrawn} files are left out." if found.undrawn else ""
    return f"Nothing was written. Pass dry_run false to write this.{hidden}" if dry_run else hidden.strip()
