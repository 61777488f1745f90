"""Error handling: errors that are swallowed, caught too broadly, caught, raised."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import Found, at, files, idioms
from bearings.code.index.snapshot import Snapshot


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each handler and each raise."""
    for path, facts in files(snapshot):
        error = idioms(facts).error
        for mark in facts.marks if error else ():
            if error and (problem := error(mark)):
                yield Found(problem[0], path, mark.line, at(facts, mark.line), problem[1])
