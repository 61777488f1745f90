"""The addition to a search's result: the elements with that name, and only those uses that the result does not show.

    bearings (by types; quotes the project as data): Model.save (db/base.py:20): 3 calls: app.py:4,9 web/views.py:31;
    2 in tests: tests/test_app.py:7,12. File.save (files.py:9): 1 call: upload.py:3

There is no addition if the result shows every call, unless several elements of that name are called, because a result
mixes them; nor for a single word, such as `save`, whose element or use the result does not show: a library's may be
meant. It never says that an element has no callers: the graph may be older than a new file.
"""

import re
from collections.abc import Iterable, Sequence

from bearings.cli.hook.pattern import Identifier
from bearings.cli.hook.payload import Shown
from bearings.code.index.snapshot_lookup import Element, SnapshotLookup
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Edge, SymbolKind
from bearings.untrusted import counted, escape_line, labelled

LIMIT = 400
"""Characters."""

HEAD = "bearings (by types; quotes the project as data): "
_NAME_LIMIT = 90
_MOST = 3
"""The limit of elements to mention."""

_SLACK = 2
"""The largest distance in lines between a call's start and its name, in a chain of calls."""

_COMPOUND = re.compile(r"[^\W_]_+[^\W_]|[a-z\d][A-Z]")
"""A name of several words."""

_TYPES = frozenset(
    {SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM, SymbolKind.COMPONENT, SymbolKind.SCHEMA}
)


def addition(lookup: SnapshotLookup, identifiers: Sequence[Identifier], shown: Shown) -> str:
    """The addition to a result; "" for none. The elements of several identifiers share its characters."""
    found = [[_View(element, shown) for element in _meant(lookup.elements(one.name), one)] for one in identifiers]
    share = max(_MOST // len(identifiers), 1)
    chosen = [(view, len(views) > 1) for views in found for view in _chosen(views)[:share]][:_MOST]
    if not chosen:
        return ""
    text = HEAD
    for at, (view, has_namesakes) in enumerate(chosen):
        room = LIMIT - len(text) - 2
        text += _clause(lookup, view, has_namesakes, room if at + 1 == len(chosen) else room * 3 // 5) + ". "
    rest = len(found[0]) - len(chosen) if len(found) == 1 else 0
    more = f"{rest} more of that name." if rest and len(text) + 30 <= LIMIT else ""
    return (text + more).strip()


def _chosen(views: "Sequence[_View]") -> "list[_View]":
    """The elements to mention: used namesakes, otherwise those with uses not shown, otherwise the only definition."""
    views = [view for view in views if view.is_evident]
    used = [view for view in views if view.element.calls or view.element.heirs]
    if len(used) > 1:
        return used
    unseen = [view for view in views if view.calls or view.heirs]
    return unseen or [view for view in views if len(views) == 1 and not view.is_shown]


class _View:
    """An element beside a result: its uses that the result lacks, and whether the result has the element itself."""

    def __init__(self, element: Element, shown: Shown) -> None:
        self.element = element
        self.is_shown = _shows(shown, element.symbol.file, element.symbol.line)
        self.calls = [edge for edge in element.calls if not _shows(shown, edge.file, edge.line)]
        self.heirs = [edge for edge in element.heirs if not _shows(shown, edge.file, edge.line)]
        unseen, uses = len(self.calls) + len(self.heirs), len(element.calls) + len(element.heirs)
        is_empty = not (shown.sites or shown.whole)
        self.is_evident = self.is_shown or unseen < uses or is_empty or bool(_COMPOUND.search(element.symbol.name))


def _meant(elements: Sequence[Element], identifier: Identifier) -> list[Element]:
    """The elements that the pattern means: by a keyword before the name, or by its owner.

    Elements of tests are left out if there are others: each test file has its own `User`.
    """
    candidates = list(elements)
    if identifier.types is not None:
        candidates = [
            element for element in candidates if (element.symbol.kind in _TYPES) == identifier.types
        ] or candidates
    if identifier.owner:
        owned = [
            element for element in candidates if element.symbol.qualified_name.split(".")[-2:-1] == [identifier.owner]
        ]
        candidates = owned or candidates
    return [element for element in candidates if not is_test(element.symbol.file)] or candidates


def _shows(shown: Shown, file: str, line: int) -> bool:
    near = range(line, line + _SLACK + 1)
    return file in shown.whole or any((file, number) in shown.sites for number in near)


def _clause(lookup: SnapshotLookup, view: _View, has_namesakes: bool, room: int) -> str:
    """One element in `room` characters: its place, callers, subclasses and tests."""
    symbol = view.element.symbol
    text = named(symbol.qualified_name)
    if has_namesakes or not view.is_shown:
        text += f" at {named(symbol.file)}:{symbol.line}"
    calls = view.calls or (view.element.calls if has_namesakes else [])
    code, tests = ([edge for edge in calls if is_test(edge.file) == in_tests] for in_tests in (False, True))
    reach = [] if any(is_test(edge.file) for edge in view.element.calls) else lookup.tests(view.element)
    parts = [
        (counted(len(code), "call"), code),
        (f"{len(view.heirs)} extend it,", view.heirs),
        (f"{counted(len(tests), 'call')} in tests", tests),
        ("tests reach it by", reach),
    ]
    mark = ": "
    for label, edges in parts:
        if edges and len(text) + len(label) + 2 <= room:
            text += f"{mark}{label}"
            text += places(edges, room - len(text))
            mark = "; "
    return text if len(text) <= room else text[: max(room - 1, 0)].rstrip(":; ") + "…"


def places(edges: Iterable[Edge], room: int) -> str:
    """` a.py:3,9 b.py:4`, as many as fit, then ` …`; in the end nothing."""
    lines: dict[str, list[int]] = {}
    for edge in edges:
        if edge.line not in lines.setdefault(edge.file, []):
            lines[edge.file].append(edge.line)
    text = ""
    for file, numbers in lines.items():
        for at, line in enumerate(sorted(numbers)):
            more = f",{line}" if at else f" {named(file)}:{line}"
            if len(text) + len(more) + 2 > room:
                return f"{text} …" if text else ""
            text += more
    return text


def named(text: str, limit: int = _NAME_LIMIT) -> str:
    """A name, path or type of the project, made safe to show."""
    return labelled(escape_line(text, limit))
