"""Error handling: errors that are swallowed, caught too broadly, caught, raised."""

from collections.abc import Iterator

from bearings.code.questions.patterns.evidence import File, Found, at


def find(file: File) -> Iterator[Found]:
    """Each handler and each raise."""
    error = file.idioms.error
    for mark in file.facts.marks if error else ():
        if error and (problem := error(mark)):
            yield Found(problem[0], file.path, mark.line, at(file.facts, mark.line), problem[1])
