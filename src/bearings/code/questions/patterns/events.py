"""Events: registration of handlers and sending of events, by the calls of emitters and signals."""

from collections.abc import Iterator

from bearings.code.questions.patterns.evidence import File, Found, owner


def find(file: File) -> Iterator[Found]:
    """Each call that registers a handler, and each that sends an event."""
    listens, sends = file.matching(file.idioms.listens), file.matching(file.idioms.sends)
    for callee, site in file.calls_of(listens | sends):
        name = "handlers registered" if callee in listens else "events sent"
        yield Found(name, file.path, site.line, owner(file.facts, site), f"calls {callee}")
