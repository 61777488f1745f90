"""What an edit broke: the elements that changed, and the uses of them that no longer fit, in at most 400 characters.

bearings (by types; quotes the project as data): load: it needs a parameter key: 2 callers no longer fit: app.py:4,9;
tests: tests/test_app.py:7.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache

from bearings.cli.hook.addition import HEAD, LIMIT, named, places
from bearings.cli.hook.edit import Edit
from bearings.cli.hook.project import StoredProject, project_of
from bearings.code.index.snapshot_lookup import Element, SnapshotLookup
from bearings.code.languages import language_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CALLS, Confidence
from bearings.code.parse import parse_file
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.sources import digest_of
from bearings.code.search.breakage import Broken, breakage
from bearings.untrusted import counted

_PLAIN = re.compile(r"[\w$ ,]{1,90}")
"""A reason without types, in which a project may write anything."""

_TYPED = re.compile(r"(it gives |parameter [\w$]{1,60} is of another type: )(.*)(, not )(.*)", re.DOTALL)
_LONGEST_TYPE = 40

_TESTS = 60
"""Characters that are left for tests."""


def broken_by(edits: list[Edit], environ: Mapping[str, str]) -> str:
    """What these edits broke; "" for nothing, or where no graph is stored."""
    text = ""
    for edit in edits:
        if language_of(edit.path) is None:
            continue
        project = project_of(edit.folder, edit.path, environ)
        if project is not None:
            for one in _found(project, edit):
                clause = _clause(project.lookup, one, LIMIT - len(HEAD) - len(text) - 2)
                text += f"{clause}. " if clause else ""
    return f"{HEAD}{text}".strip() if text else ""


def _found(project: StoredProject, edit: Edit) -> Iterator[Broken]:
    lookup, path = project.lookup, project.inside(os.path.realpath(os.path.join(project.folder, edit.path)))  # noqa: PTH118
    language, (digest, indexed) = language_of(path), lookup.former(path)
    if language is None or indexed is None or is_test(path):
        return
    with SafeDirectory(lookup.root) as tree:

        @cache
        def text(file: str) -> str | None:
            """The present text; "" if there is no file, None for one that is not read: a link, or too large."""
            try:
                with tree.file(file) as opened:
                    data = opened.read(project.max_file_bytes + 1) or b""
            except OSError as error:
                return "" if isinstance(error, FileNotFoundError) else None
            return data.decode("utf-8", "surrogateescape") if len(data) <= project.max_file_bytes else None

        def is_indexed(text: str) -> bool:
            return digest_of(_bytes(text)) == digest

        now = text(path)
        if now is None or is_indexed(now):
            return
        then = edit.before(now, is_indexed, project.max_file_bytes)
        if then == now:
            return
        before = indexed if then is None or is_indexed(then) else parse_file(path, language, _bytes(then))
        after = parse_file(path, language, _bytes(now))
        found = breakage(lookup, before, after, lambda file: text(file) or "")
        for one in found if before.errors or not after.errors else ():
            if then is not None or edit.touches(one.symbol.name):
                yield one


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _clause(lookup: SnapshotLookup, broken: Broken, room: int) -> str:
    """One element in `room` characters; "" if no place fits."""
    uses = sorted(broken.uses, key=lambda use: (is_test(use.file), use.file, use.line))
    noun = "caller" if any(use.kind in CALLS for use in uses) else "use"
    fits = "no longer fits" if len(uses) == 1 else "no longer fit"
    guesses = sum(use.confidence is Confidence.HEURISTIC for use in uses)
    mark = "" if not guesses else " by name" if guesses == len(uses) else f" ({guesses} by name)"
    text = f"{named(broken.symbol.qualified_name)}: {_quoted(broken.why)}: {counted(len(uses), noun)}{mark} {fits}:"
    reach = [] if is_test(uses[-1].file) else lookup.tests(Element(broken.symbol, broken.keys, tuple(broken.known)))
    shown = places(uses, room - len(text) - (_TESTS if reach else 0))
    tests = places(reach, room - len(text) - len(shown) - len("; tests:")) if shown else ""
    return f"{text}{shown}" + (f"; tests:{tests}" if tests else "") if shown else ""


def _quoted(why: str) -> str:
    """A reason with the project's types as quotations."""
    if typed := _TYPED.fullmatch(why):
        return f"{typed[1]}{named(typed[2], _LONGEST_TYPE)}{typed[3]}{named(typed[4], _LONGEST_TYPE)}"
    return why if _PLAIN.fullmatch(why) else named(why)
