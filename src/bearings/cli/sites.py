"""Answers in grep's format, `path:line:source`, for `head`, `rg` and `sed`.

Standard output has nothing else; notes go to standard error. Elements are asked one at a time, each for all rows: a
program that reads lines does not look whether the list is whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from bearings.caller import Caller, calling
from bearings.cli.answer import ANSWERED, FAILED, earlier_of, progress_bar, refuse, write
from bearings.cli.interrupt import leaving_at_once
from bearings.cli.streams import streams
from bearings.cli.wiring import Wing
from bearings.errors import BearingsError
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.code.project.tree import Tree
    from bearings.code.replies.lines import LinedReply, Place
    from bearings.tool import Tool

Only = Literal["all", "testing"]
"""The places of a reply to print: all, or the starts of the tests that it names."""

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
    sites = _Sites()
    try:
        all_rows = calling(Caller(is_command=True, has_pages=False))
        with progress_bar(tool) as progress, leaving_at_once(), all_rows:
            values = arguments()
            streams().run(_printed, wing, tool, values, only, sites, progress)
        root = Path(os.path.realpath(values["project_path"]))
        lines = _lines(root, sites.commit, prefix, sites.places)
        maybe = _lines(root, sites.commit, prefix, [place for place in sites.maybe if place not in sites.places])
    except BearingsError as error:
        return refuse(error, False, explain)
    write("".join(lines))
    if not (sites.places or sites.notes or sites.errors):
        sites.notes["Nothing was found."] = None
    for note in sites.notes:
        click.echo(f"note: {note}", file=streams().err, err=True)
    for line in maybe:
        click.echo(f"maybe: {line}", file=streams().err, err=True, nl=False)
    status = max((refuse(error, False, explain) for error in sites.errors), default=ANSWERED)
    return status or (ANSWERED if sites.places else FAILED)


class _Sites:
    """Places, each once, in order, and those that may be some; notes; errors; their commit, if it is not the disk."""

    def __init__(self) -> None:
        self.places: dict[Place, None] = {}
        self.maybe: dict[Place, None] = {}
        self.notes: dict[str, None] = {}
        self.errors: list[BearingsError] = []
        self.commit: str | None = None

    def add(self, reply: LinedReply, only: Only, about: str) -> None:
        """Add the places and notes of a reply; `about` is the start of each note."""
        self.places.update(dict.fromkeys(reply.places() if only == "all" else _tests(reply)))
        self.maybe.update(dict.fromkeys(reply.maybe() if only == "all" else ()))
        self.commit = _commit(reply)
        self.notes.update(dict.fromkeys(f"{about}{note}" for note in reply.notes()))
        earlier = earlier_of(reply.structured())
        if earlier:
            self.notes[earlier] = None


async def _printed(
    wing: Wing, tool: Tool, arguments: Mapping[str, Any], only: Only, sites: _Sites, progress: Progress
) -> None:
    name = next((name for name in ("element", "target") if name in arguments), None)
    value = arguments[name] if name else None
    try:
        elements = value if isinstance(value, list) else [value]
        for element in elements:
            try:
                asked = {**arguments, **({name: element} if name else {})}
                await _add_answers(tool, asked, only, sites, progress, f"{element}: " if len(elements) > 1 else "")
            except BearingsError as error:
                sites.errors.append(error)
    finally:
        await wing.aclose()


async def _add_answers(
    tool: Tool, arguments: Mapping[str, Any], only: Only, sites: _Sites, progress: Progress, about: str
) -> None:
    """Add an answer; if the name means several elements, each of their answers."""
    from bearings.code.replies.lines import LinedReply
    from bearings.code.replies.many import ManyReply

    reply, _ = await tool.run(arguments, progress)
    if not isinstance(reply, ManyReply):
        sites.add(reply, only, about)  # type: ignore[arg-type]  # a tool whose spelling has sites answers so
        return
    sites.notes[f"{about}{reply.namesakes}"] = None
    for answer in reply.leaves():
        target = getattr(answer, "target", None) or getattr(answer, "element", "")
        element = str(getattr(target, "ref", target))
        if isinstance(answer, LinedReply):
            sites.add(answer, only, f"{element}: ")
        else:  # its error
            again = {**arguments, "element" if "element" in arguments else "target": element}
            await _add_answers(tool, again, only, sites, progress, f"{element}: ")


def _commit(reply: LinedReply) -> str | None:
    commit: str | None = getattr(getattr(reply, "index", None), "commit", None)
    return commit


def _tests(reply: LinedReply) -> Iterable[Place]:
    """The starts of the tests that an impact names; of their helpers if it names no test."""
    from bearings.code.questions.impact import ImpactReply
    from bearings.code.replies.lines import parts_of_id

    assert isinstance(reply, ImpactReply)
    hits = [hit for hit in reply.affected if hit.test]
    cases = [hit for hit in hits if hit.is_case()]
    starts = {hit.element: hit.begins() or (hit.file, hit.line) for hit in hits}
    places = [starts[hit.element] for hit in cases or hits]
    listed = {file for file, _ in starts.values()}
    for row in reply.affected_tests:  # test files that load what runs it, or it, are listed there alone
        parts = [parts_of_id(test) for test in row.tests] if row.file not in listed else []
        places += [(part[0], part[2]) if part is not None else (row.file, 1) for part in parts]
        places += [(row.file, 1)] if not row.tests else []
    return places


def _lines(root: Path, commit: str | None, prefix: str, places: Iterable[Place]) -> list[str]:
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
        lines = sources.of(file)
        return lines[number - 1].decode("utf-8", "replace").rstrip("\r") if 0 < number <= len(lines) else ""

    return [f"{prefix}{file}:{line}:{escape_text(text(file, line))}\n" for file, line in places]
