"""How errors are handled: what is caught and dropped, caught too broadly, caught, raised."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.sight import Found, at, files
from bearings.code.models import FileFacts, Language, MarkKind
from bearings.code.refresh import Snapshot

_GO = {
    MarkKind.SWALLOW: ("errors dropped", "checks {}, and does nothing"),
    MarkKind.CATCH: ("errors checked", "checks {}"),
    MarkKind.RAISE: ("panics", "panics"),
}
_BROAD = frozenset({"", "Exception", "BaseException"})


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each handler and each raise."""
    for path, facts in files(snapshot):
        if facts.language is Language.GO:
            yield from _go(path, facts)
            continue
        for mark in facts.marks:
            is_python = facts.language is Language.PYTHON
            what = mark.text or ("everything" if is_python else "whatever was thrown")
            if mark.kind is MarkKind.SWALLOW:
                yield Found("errors dropped", path, mark.line, at(facts, mark.line), f"{what}, and nothing is done")
            elif mark.kind is MarkKind.CATCH and is_python and mark.text in _BROAD:
                yield Found("errors caught broadly", path, mark.line, at(facts, mark.line), f"except {what}")
            elif mark.kind is MarkKind.CATCH:
                yield Found("errors caught", path, mark.line, at(facts, mark.line), f"catches {what}")
            elif mark.kind is MarkKind.RAISE and mark.text.endswith(("()", "?")):
                given = f"what {mark.text} gives" if mark.text != "?" else "a value"
                yield Found(f"raises {given}", path, mark.line, at(facts, mark.line), f"raises {given}")
            elif mark.kind is MarkKind.RAISE and not mark.text.rpartition(".")[2][:1].isupper():
                yield Found("errors raised again", path, mark.line, at(facts, mark.line), f"raises {mark.text}".strip())
            elif mark.kind is MarkKind.RAISE:
                yield Found(f"raises {mark.text}", path, mark.line, at(facts, mark.line), f"raises {mark.text}")


def _go(path: str, facts: FileFacts) -> Iterator[Found]:
    """Errors that are checked or dropped, panics, and what recovers from them."""
    for mark in facts.marks:
        if mark.kind is MarkKind.CATCH and mark.text == "panic":
            yield Found("panics recovered", path, mark.line, at(facts, mark.line), "calls recover")
        elif mark.kind in _GO:
            name, what = _GO[mark.kind]
            yield Found(name, path, mark.line, at(facts, mark.line), what.format(mark.text))
