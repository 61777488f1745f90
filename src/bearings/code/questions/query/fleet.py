"""The users of a package's element in many repositories, from a catalogue of them."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import anyio.to_thread

from bearings.budget import rows
from bearings.code.asking.opening import Asking, as_many_as_fit, following, page_of
from bearings.code.asking.source_text import shortened
from bearings.code.catalogue.names import dotted
from bearings.code.catalogue.reading import ANY_NAME, RepositoryState, opened
from bearings.code.catalogue.rows import UseRow
from bearings.code.models import Confidence, EdgeKind
from bearings.code.questions.query import Query, QueryReply, Relation
from bearings.code.questions.query.use_filter import use_filter_of
from bearings.code.replies.element import IndexInfo, path_line
from bearings.code.replies.sites import Unresolved
from bearings.errors import InvalidInput
from bearings.untrusted import clean_line

_NAMED = 20
"""Repositories that a note names."""


class _Found(NamedTuple):
    repositories: list[RepositoryState]
    uses: list[tuple[str, UseRow]]
    similar: list[str]


async def users_in_fleet(question: Query, asking: Asking) -> QueryReply:
    """The page of uses within the budget. Raises InvalidInput, PathNotAllowed, DeadlineExceeded."""
    if not question.query_type.endswith("-me"):
        error = InvalidInput(
            "query_type", question.query_type, "is not for fleet: a catalogue knows users", "Pass depends-on-me."
        )
        raise error.instead_of("query_type", "depends-on-me")
    started = time.perf_counter()
    use_filter = use_filter_of(question)
    path, is_own = asking.catalogue(question.fleet)
    found = await anyio.to_thread.run_sync(_read, path, is_own, question.element)
    uses = [one for one in found.uses if one[1].kind in use_filter.kinds and use_filter.is_listed(one[1].file)]
    reply = _head(question, found, uses, started)
    page = page_of((*_identity(question), reply.index.revision), len(uses), question.cursor)
    results = [_relation(name, use) for name, use in uses[page.offset : page.offset + rows(question.limit)]]

    def put(count: int) -> None:
        reply.results = results[:count]

    shown = as_many_as_fit(reply, put, len(results), question.budget)
    reply.omitted, reply.next_cursor = following(page, shown)
    return reply


def _identity(question: Query) -> tuple[object, ...]:
    kinds = tuple(sorted(question.kinds or ()))
    return question.query_type, question.element, question.fleet, kinds, question.path


def _read(path: Path, is_own: bool, element: str) -> _Found:
    with opened(path, mends=is_own) as catalogue:
        for package, name in _readings(element):
            uses = catalogue.uses(package, name)
            if uses:
                break
        similar = [] if uses else catalogue.packages_like(element.partition("#")[0])
        return _Found(catalogue.repositories(), uses, similar)


def _readings(element: str) -> Iterator[tuple[str, str]]:
    """What an element may mean: a package with # and a name; a package or a module; else one with a dot and a name."""
    package, mark, name = element.partition("#")
    yield package, name or ANY_NAME
    dots = () if mark else [place for place, letter in enumerate(element) if letter == "."]
    yield from ((element[:place], element[place + 1 :]) for place in reversed(dots) if element[place + 1 :])


def _head(question: Query, found: _Found, uses: Sequence[tuple[str, UseRow]], started: float) -> QueryReply:
    """The reply without its results."""
    scanned = [one.scanned for one in found.repositories if one.scanned is not None]
    index = IndexInfo(
        files=sum(one.files for one in found.repositories),
        elements=sum(one.elements for one in found.repositories),
        revision=format(round(max(scanned, default=0.0) * 1000), "x"),
        fresh_at=IndexInfo.moment(min(scanned, default=0.0)),
        took_ms=round((time.perf_counter() - started) * 1000, 1),
        engine="catalogue",
    )
    reply = QueryReply(
        query_type=question.query_type,
        target=path_line(question.element.replace("#", ".", 1)),
        kinds=sorted(use_filter_of(question).kinds) if question.kinds else None,
        path=path_line(question.path or "") or None,
        results_found=len(uses),
        results=[],
        unresolved=Unresolved(),
        note=clean_line(_note(found, uses), 2_000),
        index=index,
    )
    return reply.in_lines(question.detail)


def _note(found: _Found, uses: Sequence[tuple[str, UseRow]]) -> str:
    """Which repositories use it, and which could not be read."""
    counts = Counter(name for name, _ in uses)
    named = ", ".join(f"{name} {count}" for name, count in counts.most_common(_NAMED))
    more = ", …" if len(counts) > _NAMED else ""
    total = len(found.repositories)
    told = [f"In {len(counts)} of {total} repositories{': ' if named else ''}{named}{more}"]
    if found.similar:
        told.append(f"similar packages: {', '.join(found.similar)}")
    failed = [one.name for one in found.repositories if one.state != "scanned"]
    if failed:
        told.append(f"not read at the last scan: {', '.join(failed[:_NAMED])}{', …' if len(failed) > _NAMED else ''}")
    return "; ".join(told)


def _relation(repository: str, use: UseRow) -> Relation:
    file = f"{repository}/{use.file}"
    return Relation(
        from_=path_line(f"{file}#{use.element}" if use.element else file),
        to=path_line(dotted((use.module, use.name))),
        type=EdgeKind(use.kind),
        file=path_line(file),
        line=use.line,
        depth=1,
        confidence=Confidence.HEURISTIC if use.is_guess else Confidence.EXACT,
        reason="a member of an object of the package" if use.is_guess else "import",
        text=shortened(use.text) or None,
    )
