"""What a new signature asks of callers that the old one did not, read from the heads of both.

breaks("def f(a, b=1)", "def f(a, b)", "f", by_name=True)    # "parameter b has no default any more"
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_OPEN, _CLOSE = "([{<", ")]}>"
_NAME = re.compile(r"[\w$]+")
_RECEIVERS = frozenset({"self", "cls", "this"})
_BARE = frozenset({"", "*", "/"})
_LONGEST = 4_000


class Parameter(NamedTuple):
    """A parameter. `type` is empty if none is written; `open` takes any number of arguments."""

    name: str
    type: str
    required: bool
    open: bool
    named: bool
    """Whether it can only be passed by name."""


class Head(NamedTuple):
    """A function's parameters, its result as written, and whether it is asynchronous."""

    parameters: tuple[Parameter, ...]
    result: str
    waits: bool


def breaks(old: str, new: str, name: str, was: str, *, by_name: bool) -> str:
    """The first reason why calls of the old signature may not fit the new one; empty if they fit.

    `name` and `was` are the present and the former name. `by_name`: arguments may be passed by name.
    """
    before, after = head_of(old, was), head_of(new, name)
    if before is None or after is None:
        return ""
    reasons = _by_name(before, after) if by_name else _by_place(before, after)
    return next(reasons, "") or _of_result(before, after)


def head_of(signature: str, name: str) -> Head | None:
    """The parameters of a function's signature; None for what has none."""
    text = signature[:_LONGEST]
    start = re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text)
    opened = text.find("(", start.end()) if start else -1
    if start is None or opened < 0:
        return None
    end = _end(text, opened)
    listed = [one.strip() for one in _split(text[opened + 1 : end])]
    named = listed.index("*") if "*" in listed else len(listed)
    found = [_parameter(one, named=number > named) for number, one in enumerate(listed) if one not in _BARE]
    result = re.sub(r"^\s*(?::|->)?\s*|\s*(?:=>|[:{])?\s*$", "", text[end + 1 :])
    return Head(
        tuple(one for one in found if one.name not in _RECEIVERS),
        result,
        re.search(r"\basync\b", text[:opened]) is not None,
    )


def _by_name(before: Head, after: Head) -> Iterator[str]:
    """Reasons for calls that may pass arguments by name."""
    old = {one.name: one for one in before.parameters if not one.open}
    new = {one.name: one for one in after.parameters if not one.open}
    takes_any = any(one.open for one in after.parameters)
    for name in old:
        if name not in new and not takes_any:
            yield f"parameter {name} is gone"
    for name, one in new.items():
        if one.required and name not in old:
            yield f"it needs a parameter {name}"
        if one.required and name in old and not old[name].required:
            yield f"parameter {name} has no default any more"
    common = [one.name for one in before.parameters if one.name in new and not one.named and not new[one.name].named]
    if common != [one.name for one in after.parameters if one.name in common]:
        yield "its parameters have another order"
    for name, one in new.items():
        if name in old and one.named and not old[name].named:
            yield f"parameter {name} can only be passed by name"


def _by_place(before: Head, after: Head) -> Iterator[str]:
    """Reasons for calls that pass arguments by place."""
    old, new = before.parameters, after.parameters
    if len(new) < len(old) and not any(one.open for one in new):
        yield f"it takes {_counted(len(new))}, not {len(old)}"
    needed = [one for one in new if one.required and not one.open]
    needs_before = sum(one.required and not one.open for one in old)
    if len(needed) > needs_before:
        yield f"it needs a parameter {needed[needs_before].name}"
    for one, other in zip(old, new, strict=False):
        if one.type and other.type and one.type != other.type:
            yield f"parameter {other.name} is of another type: {other.type}, not {one.type}"


def _of_result(before: Head, after: Head) -> str:
    if before.waits != after.waits:
        return "it is asynchronous now" if after.waits else "it is not asynchronous any more"
    if before.result and after.result and before.result != after.result:
        return f"it gives {after.result}, not {before.result}"
    return ""


def _counted(count: int) -> str:
    return f"{count} parameter{'' if count == 1 else 's'}"


def _parameter(text: str, *, named: bool) -> Parameter:
    """A parameter as written: `b: int = 1`, `b?: string`, `...rest: T[]`, `**options`, `c ...string`."""
    given, _, default = _cut(text, "=")
    is_open = given.startswith(("*", "...")) or " ..." in given
    head, colon, kind = _cut(given.lstrip("*.").strip(), ":")
    found = _NAME.match(head)
    name = found[0] if found else head.strip()
    if not colon:
        kind = head[len(name) :].strip()
    is_optional = bool(default.strip()) or head.rstrip().endswith("?")
    return Parameter(name, "" if kind == "?" else kind.strip(), not (is_optional or is_open), is_open, named)


def _cut(text: str, sign: str) -> tuple[str, str, str]:
    """The text before and after the first `sign` outside brackets, which is no part of `=>`, `==` or `?:`."""
    depth = 0
    for place, char in enumerate(text):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE and not _is_arrow(text, place):
            depth -= 1
        elif char == sign and depth == 0 and text[place + 1 : place + 2] not in (">", "="):
            return text[:place], sign, text[place + 1 :]
    return text, "", ""


def _split(text: str) -> Sequence[str]:
    """The parts between commas outside brackets."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE and not _is_arrow(text, place):
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def _end(text: str, opened: int) -> int:
    """The place of the bracket that closes the one at `opened`; the text's end if none does."""
    depth = 0
    for place in range(opened, len(text)):
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
            if depth == 0:
                return place
    return len(text)


def _is_arrow(text: str, place: int) -> bool:
    return text[place] == ">" and text[max(0, place - 1) : place] in ("=", "-")
