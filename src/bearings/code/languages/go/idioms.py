"""How Go's sources spell what analyses look for. It has no emitters by custom: an `emit` writes something out."""

from collections.abc import Mapping

from bearings.code.languages.line_conventions import Idioms
from bearings.code.models import Mark, MarkKind

_SAID: Mapping[MarkKind, tuple[str, str]] = {
    MarkKind.SWALLOW: ("errors dropped", "checks {}, and does nothing"),
    MarkKind.CATCH: ("errors checked", "checks {}"),
    MarkKind.RAISE: ("panics", "panics"),
}


def handled(mark: Mark) -> tuple[str, str]:
    """Errors that are checked or dropped, panics, and what recovers from them."""
    if mark.kind is MarkKind.CATCH and mark.text == "panic":
        return "panics recovered", "calls recover"
    name, what = _SAID[mark.kind]
    return name, what.format(mark.text)


IDIOMS = Idioms(error=handled)
