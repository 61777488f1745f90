"""The users of a package's element in many repositories, from a catalogue of them."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bearings.code.catalogue.names import dotted
from bearings.code.catalogue.reading import ANY_NAME, RepositoryState, opened
from bearings.code.catalogue.rows import UseRow
from bearings.code.models import Confidence, Edge, EdgeKind
from bearings.code.question import Answer
from bearings.code.questions.query import Query, QueryReply, Relation
from bearings.code.questions.query.use_filter import use_filter_of
from bearings.code.replies.element import IndexInfo
from bearings.code.replies.pages import page_of
from bearings.errors import InvalidInput
from bearings.untrusted import clean_line

_NAMED = 20
"""Repositories that a note names."""

_MAX_NOTE = 2_000


def users_in_fleet(question: Query, path: Path, *, mends: bool) -> Answer[QueryReply]:
    """The page of uses in the repositories of a catalogue. Raises InvalidInput, DeadlineExceeded.

    `mends`: the catalogue is the caller's own (see `opened`).
    """
    if not question.query_type.endswith("-me"):
        error = InvalidInput(
            "query_type", question.query_type, "is not for fleet: a catalogue knows users", "Pass depends-on-me."
        )
        raise error.instead_of("query_type", "depends-on-me")
    started = time.perf_counter()
    use_filter = use_filter_of(question)
    with opened(path, mends=mends) as catalogue:
        for package, name in _readings(question.element):
            rows = catalogue.uses(package, name)
            if rows:
                break
        similar = [] if rows else catalogue.packages_like(question.element.partition("#")[0])
        repositories = catalogue.repositories()
    uses = [(name, use) for name, use in rows if use.kind in use_filter.kinds and use_filter.is_listed(use.file)]
    scanned = [one.scanned for one in repositories if one.scanned is not None]
    revision = format(round(max(scanned, default=0.0) * 1000), "x")
    kinds = tuple(sorted(question.kinds or ()))
    identity = (question.query_type, question.element, question.fleet, kinds, question.path, revision)
    place = page_of(identity, len(uses), question.cursor)
    results = [_relation(name, use) for name, use in uses[place.offset : place.offset + question.most]]
    reply = QueryReply.listing(question, question.element.replace("#", ".", 1), place, results, use_filter.kinds)
    reply.note = clean_line(_note(repositories, similar, uses), _MAX_NOTE)
    index = IndexInfo(
        files=sum(one.files for one in repositories),
        elements=sum(one.elements for one in repositories),
        revision=revision,
        fresh_at=IndexInfo.moment(min(scanned, default=0.0)),
        took_ms=round((time.perf_counter() - started) * 1000, 1),
        engine="catalogue",
    )
    return Answer(reply, index)


def _readings(element: str) -> Iterator[tuple[str, str]]:
    """The meanings of a name: a package with # and a name; a package or a module; else one with a dot and a name."""
    package, mark, name = element.partition("#")
    yield package, name or ANY_NAME
    dots = () if mark else [place for place, letter in enumerate(element) if letter == "."]
    yield from ((element[:place], element[place + 1 :]) for place in reversed(dots) if element[place + 1 :])


def _note(repositories: Sequence[RepositoryState], similar: Sequence[str], uses: Sequence[tuple[str, UseRow]]) -> str:
    """Which repositories use it, and which could not be read."""
    counts = Counter(name for name, _ in uses)
    named = ", ".join(f"{name} {count}" for name, count in counts.most_common(_NAMED))
    more = ", …" if len(counts) > _NAMED else ""
    total = len(repositories)
    sentences = [f"In {len(counts)} of {total} repositories{': ' if named else ''}{named}{more}"]
    if similar:
        sentences.append(f"similar packages: {', '.join(similar)}")
    failed = [one.name for one in repositories if one.state != "scanned"]
    if failed:
        sentences.append(
            f"not read at the last scan: {', '.join(failed[:_NAMED])}{', …' if len(failed) > _NAMED else ''}"
        )
    return "; ".join(sentences)


def _relation(repository: str, use: UseRow) -> Relation:
    file = f"{repository}/{use.file}"
    edge = Edge(
        f"{file}#{use.element}" if use.element else file,
        dotted((use.module, use.name)),
        EdgeKind(use.kind),
        file,
        use.line,
        Confidence.HEURISTIC if use.is_guess else Confidence.EXACT,
        "a member of an object of the package" if use.is_guess else "import",
    )
    return Relation.of(1, edge, use.text)
