"""Answers in grep's format, `path:line:source`, for `head`, `rg` and `sed`.

Standard output has nothing else; notes go to standard error. Elements are asked one at a time, each to its last page.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import anyio
import click

from bearings.cli.answer import ANSWERED, FAILED, earlier_of, progress_bar, refuse
from bearings.cli.interrupt import leaving_at_once
from bearings.cli.wiring import Wing
from bearings.errors import BearingsError
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.code.project.tree import Tree
    from bearings.code.replies.lines import LinedReply, Place
    from bearings.code.replies.many import ManyReply
    from bearings.tool import Tool

Only = Literal["all", "testing"]
"""The places of a reply to print: all, or the starts of the tests that it names."""

_PAGE = 5000
_MAX_FILE_BYTES = 4_000_000


def print_sites(
    wing: Wing,
    tool: Tool,
    arguments: Callable[[], Mapping[str, Any]],
    only: Only,
    prefix: str,
    explain: Callable[[BearingsError], str],
) -> int:
    """Ask, and print a line for each place, its path behind `prefix`; return 1 for no place or an element's error.

    `arguments` may raise; `explain` words an error.
    """
    found = _Found()
    try:
        with progress_bar(tool) as progress, leaving_at_once():
            given = arguments()
            anyio.run(_printed, wing, tool, given, only, found, progress)
        lines = _lines(Path(os.path.realpath(given["project_path"])), found.commit, prefix, found.places)
    except BearingsError as error:
        return refuse(error, False, explain)
    sys.stdout.flush()
    sys.stdout.buffer.write("".join(lines).encode())
    sys.stdout.buffer.flush()
    if not (found.places or found.notes or found.errors):
        found.notes["Nothing was found."] = None
    for note in found.notes:
        click.echo(f"note: {note}", err=True)
    status = max((refuse(error, False, explain) for error in found.errors), default=ANSWERED)
    return status or (ANSWERED if found.places else FAILED)


class _Found:
    """Places, each once, in order; notes; errors; the commit that they are in, if they are not those on disk."""

    def __init__(self) -> None:
        self.places: dict[Place, None] = {}
        self.notes: dict[str, None] = {}
        self.errors: list[BearingsError] = []
        self.commit: str | None = None

    def add(self, reply: LinedReply, only: Only, about: str) -> None:
        """Add the places and notes of a reply; `about` is the start of each note."""
        self.places.update(dict.fromkeys(reply.places() if only == "all" else _tests(reply)))
        self.commit = _commit(reply)
        self.notes.update(dict.fromkeys(f"{about}{note}" for note in reply.notes()))
        earlier = earlier_of(reply.structured())
        if earlier:
            self.notes[earlier] = None


async def _printed(
    wing: Wing, tool: Tool, arguments: Mapping[str, Any], only: Only, found: _Found, progress: Progress
) -> None:
    name = next((name for name in ("element", "target") if name in arguments), None)
    given = arguments[name] if name else None
    try:
        elements = given if isinstance(given, list) else [given]
        for one in elements:
            try:
                asked = {**arguments, **({name: one} if name else {})}
                await _add_pages(tool, asked, only, found, progress, f"{one}: " if len(elements) > 1 else "")
            except BearingsError as error:
                found.errors.append(error)
    finally:
        await wing.aclose()


async def _add_pages(
    tool: Tool, arguments: Mapping[str, Any], only: Only, found: _Found, progress: Progress, about: str
) -> None:
    """Add every page of an answer; if the name means several elements, every page of each of their answers."""
    from bearings.code.replies.lines import LinedReply
    from bearings.code.replies.many import ManyReply

    async for reply in _pages(tool, arguments, progress):
        if not isinstance(reply, ManyReply):
            found.add(reply, only, about)
            continue
        found.notes[f"{about}{reply.namesakes}"] = None
        for answer in reply.leaves():
            given = getattr(answer, "target", None) or getattr(answer, "element", "")
            one = str(getattr(given, "ref", given))
            if isinstance(answer, LinedReply) and _has_all_places(answer):
                found.add(answer, only, f"{one}: ")
            else:
                again = {**arguments, "element" if "element" in arguments else "target": one}
                await _add_pages(tool, again, only, found, progress, f"{one}: ")


def _has_all_places(reply: LinedReply) -> bool:
    """Whether no later page has places, but sites that were not followed at most."""
    found = getattr(reply, "results_found", None)
    return getattr(reply, "next_cursor", None) is None or (found is not None and found == len(reply.results))  # type: ignore[attr-defined]


async def _pages(tool: Tool, arguments: Mapping[str, Any], progress: Progress) -> AsyncIterator[LinedReply | ManyReply]:
    """Every page of an answer."""
    question = {"limit": _PAGE, **arguments} if "limit" in tool.arguments.model_fields else dict(arguments)
    while True:
        reply, _ = await tool.run(question, progress)
        yield reply  # type: ignore[misc]  # a tool whose spelling has sites answers so
        cursor = getattr(reply, "next_cursor", None)
        if cursor is None:
            return
        question["cursor"] = cursor


def _commit(reply: LinedReply) -> str | None:
    commit: str | None = getattr(getattr(reply, "index", None), "commit", None)
    return commit


def _tests(reply: LinedReply) -> Iterable[Place]:
    """The starts of the tests that an impact names."""
    from bearings.code.questions.impact import ImpactReply

    assert isinstance(reply, ImpactReply)
    return (one.begins() or (one.file, one.line) for one in reply.affected if one.test)


def _lines(root: Path, commit: str | None, prefix: str, places: Iterable[Place]) -> list[str]:
    from bearings.code.languages import language_of
    from bearings.code.project.source_lines import Lines
    from bearings.code.project.working_tree import WorkingTree
    from bearings.untrusted import escape_text

    if commit is None:
        tree: Tree = WorkingTree(root)
    else:
        from bearings.code.project.git.commit_tree import CommitTree

        tree = CommitTree(root, None, commit)
    sources = Lines(tree, lambda _: b"", _MAX_FILE_BYTES)

    def text(file: str, number: int) -> str:
        """A line without its end; empty if it can't be read."""
        lines = sources.of(file) if language_of(file) is not None else []
        return lines[number - 1].decode("utf-8", "replace").rstrip("\r") if 0 < number <= len(lines) else ""

    return [f"{prefix}{file}:{line}:{escape_text(text(file, line))}\n" for file, line in places]
