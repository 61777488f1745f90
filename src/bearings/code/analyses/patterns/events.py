"""Events: handlers that are registered, and events that are sent, by the calls that emitters and signals take."""

import re
from collections.abc import Iterator

from bearings.code.analyses.patterns.sight import Found, calls, files, owner
from bearings.code.models import Language
from bearings.code.refresh import Snapshot

_LISTENS = re.compile(r".\.(?:addEventListener|addListener|prependListener)$")
_SENDS = re.compile(r".\.(?:dispatchEvent|emit)$")
_SIGNAL_SENT = re.compile(r"(?:^|\.)\w*(?:signal|_sent|_started|_finished|_changed|_saved|_deleted)\.send(?:_async)?$")


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each call that registers a handler, and each that sends an event."""
    for path, facts in files(snapshot):
        if facts.language is Language.GO:  # has no emitters by custom: what is called emit writes something out
            continue
        is_python = facts.language is Language.PYTHON
        for site in calls(facts):
            if not is_python and _LISTENS.search(site.callee):
                yield Found("handlers registered", path, site.line, owner(facts, site), f"calls {site.callee}")
            elif (not is_python and _SENDS.search(site.callee)) or (is_python and _SIGNAL_SENT.search(site.callee)):
                yield Found("events sent", path, site.line, owner(facts, site), f"calls {site.callee}")
