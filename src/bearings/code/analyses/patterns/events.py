"""Events: registration of handlers and sending of events, by the calls of emitters and signals."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import Found, calls, files, idioms, owner
from bearings.code.expressions import written
from bearings.code.index.snapshot import Snapshot


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each call that registers a handler, and each that sends an event."""
    for path, facts in files(snapshot):
        listens, sends = idioms(facts).listens, idioms(facts).sends
        for site in calls(facts) if listens or sends else ():
            callee = written(site.callee)
            if listens and listens.search(callee):
                yield Found("handlers registered", path, site.line, owner(facts, site), f"calls {callee}")
            elif sends and sends.search(callee):
                yield Found("events sent", path, site.line, owner(facts, site), f"calls {callee}")
