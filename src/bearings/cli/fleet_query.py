"""`code fleet query`: rows of a catalogue, in grep's format or as JSON, in pages on a terminal."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bearings.cli.answer import ANSWERED, FAILED
from bearings.cli.outcome import Outcome
from bearings.errors import InvalidInput

if TYPE_CHECKING:
    from bearings.code.catalogue.reading import Catalogue

_PAGE = 200
"""Rows of a page on a terminal."""


class _Row(NamedTuple):
    """A row of an answer: its repository and its fields."""

    repository: str
    fields: Mapping[str, Any]

    def line(self) -> str:
        """Grep's format, with remarks in brackets."""
        from bearings.untrusted import escape_line

        fields = self.fields
        element = str(fields.get("element", "")).rpartition(":")[0]
        guess = "a guess" if fields.get("is_guess") else ""
        remarks = ", ".join(filter(None, [f"in {element}" if element else "", str(fields["kind"]), guess]))
        return escape_line(f"{self.repository}/{fields['file']}:{fields['line']} [{remarks}] {fields['text']}", 2_000)


def query(
    out: Path,
    name: str | None,
    package: str | None,
    exported: str | None,
    route: str | None,
    limit: int | None,
    cursor: str | None,
) -> Outcome:
    """The answer to one question. Raises InvalidInput."""
    _check(name, package, exported, route)
    from bearings.code.catalogue.reading import opened

    with opened(out, "out", mends=True) as catalogue:
        about, rows = _answered(catalogue, name, package, exported, route or "")
        failed = [repository.name for repository in catalogue.repositories() if repository.state != "scanned"]
    return _page(rows, about, failed, (str(out), package, name, exported, route), limit, cursor)


def _check(name: str | None, package: str | None, exported: str | None, route: str | None) -> None:
    if sum(question is not None for question in (package, exported, route)) != 1:
        remedy = "Pass one of --package P [NAME], --export SYMBOL, --route ROUTE."
        raise InvalidInput("query", name, "needs exactly one question", remedy)
    if name is not None and package is None:
        raise InvalidInput("name", name, "is for --package", "Leave it out.")


def _answered(
    catalogue: "Catalogue", name: str | None, package: str | None, exported: str | None, route: str
) -> tuple[str, list[_Row]]:
    """What was asked, and the rows of the answer."""
    if package is not None:
        about = f"{package}.{name}" if name else package
        return about, [_Row(repository, row._asdict()) for repository, row in catalogue.uses(package, name or "*")]
    if exported is not None:
        exports = catalogue.exports(exported)
        return exported, [
            _Row(repository, {"text": row.signature or row.qualified_name, **row._asdict()})
            for repository, row in exports
        ]
    from bearings.code.catalogue.routes import Wanted

    wanted = Wanted.of(route)
    has = [
        _Row(repository, {"kind": "route", "text": f"{row.method} {row.path} {row.handler}".rstrip(), **row._asdict()})
        for repository, row in catalogue.routes(wanted)
    ]
    calls = [_Row(repository, {"kind": "request", **row._asdict()}) for repository, row in catalogue.requests(wanted)]
    return route, has + calls


def _page(
    rows: Sequence[_Row],
    about: str,
    failed: Sequence[str],
    question: Sequence[object],
    limit: int | None,
    cursor: str | None,
) -> Outcome:
    from bearings.paging import decode, encode, fingerprint

    identity = fingerprint((*question, len(rows)))
    offset = decode(cursor, identity)
    most = limit or (_PAGE if sys.stdout.isatty() else len(rows))
    shown = rows[offset : offset + most]
    omitted = len(rows) - offset - len(shown)
    following = encode(offset + len(shown), identity) if omitted else None
    counts = Counter(row.repository for row in rows)
    document = {
        "query": about,
        "found": len(rows),
        "repositories": dict(counts.most_common()),
        "not_read": failed,
        "results": [{"repository": row.repository, **row.fields} for row in shown],
        "next_cursor": following,
    }
    named = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    lines = [f"{about}: {len(rows)} in {len(counts)} repositories{': ' if named else ''}{named}"]
    lines += [row.line() for row in shown]
    lines += [f"{omitted} more: --cursor {following}"] if omitted else []
    lines += [f"not read at the last scan: {', '.join(failed)}"] if failed else []
    return Outcome("\n".join(lines), document, ANSWERED if rows else FAILED)
