"""Extracts the marks of a Go file: errors that are checked or dropped, panics, recovered panics."""

import re

from bearings.code.file_facts import Mark, MarkKind
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.captures import Captures

_ERROR = re.compile(r"(?:\w*[eE]rr\w*|e)$")
_CALLED = {"panic": MarkKind.RAISE, "recover": MarkKind.CATCH}


def go_marks(builder: Builder, captures: Captures) -> tuple[Mark, ...]:
    """Return the marks in the order of the source: `if err != nil` catches `err`, `recover()` catches `panic`."""
    calls = [(site.line, site.callee) for site in builder.calls if site is not None]
    found = [
        Mark(_CALLED[callee], line, "panic") for line, callee in calls if type(callee) is str and callee in _CALLED
    ]
    for node in captures.of("m.check"):
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        left = condition.child_by_field_name("left") if condition is not None else None
        name = builder.text(left) if left is not None else ""
        if condition is not None and condition.children[1].type == "!=" and _ERROR.match(name) and body is not None:
            is_dropped = all(child.type == "comment" for child in body.named_children)
            kind = MarkKind.SWALLOW if is_dropped else MarkKind.CATCH
            found.append(Mark(kind, node.start_point[0] + 1, name))
    return tuple(sorted(found, key=lambda mark: (mark.line, mark.kind, mark.text)))
