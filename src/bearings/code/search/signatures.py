"""New demands of a changed signature on its callers, read from the heads of both versions.

reasons("def f(a, b=1)", "def f(a, b)", "f", "f", by_name=True)    # "parameter b has no default any more"
"""

import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from bearings.code.search.call_arguments import Arguments

_ANY = frozenset({"any", "unknown", "interface{}", "Any"})
_QUALIFIERS = re.compile(r"\b(?:typing|t|typing_extensions|collections\.abc|builtins)\.")
_GENERICS = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "FrozenSet": "frozenset", "Type": "type"}
_WORD = re.compile(r"[A-Za-z_]\w*")
_UNION = re.compile(r"(Optional|Union)\[(.*)\]", re.DOTALL)


def takes(wide: str, narrow: str, gone: Collection[str] = ()) -> bool:
    """Whether every alternative of `narrow` is one of `wide`. Types that are `gone` are given by nobody any more."""
    accepted, passed = _alternatives(wide), _alternatives(narrow)
    remaining = frozenset(name for name in passed if name not in gone)
    passed = remaining or passed
    return not _ANY.isdisjoint(accepted) or passed <= accepted


def _alternatives(written: str) -> frozenset[str]:
    """The parts of a union in one spelling: without quotes, spaces, and the names of typing's modules."""
    text = _QUALIFIERS.sub("", re.sub(r"[\s\"']", "", written))
    text = _WORD.sub(lambda word: _GENERICS.get(word[0], word[0]), text)
    whole = _UNION.fullmatch(text)
    if whole and _is_one_bracket(whole[2]):
        parts = split(whole[2], ",") + (["None"] if whole[1] == "Optional" else [])
    else:
        parts = split(text, "|")
    if len(parts) == 1:
        return frozenset(parts)
    return frozenset().union(*map(_alternatives, filter(None, parts)))


def _is_one_bracket(inside: str) -> bool:
    """Whether the brackets around a text belong together."""
    depth = 0
    for char in inside:
        depth += (char == "[") - (char == "]")
        if depth < 0:
            return False
    return True


def split(text: str, sign: str) -> list[str]:
    """The parts between signs outside brackets."""
    places = [place for place, char in _outside(text) if char == sign]
    starts = [0, *(place + 1 for place in places)]
    return [text[start:end] for start, end in zip(starts, [*places, len(text)], strict=True)]


def _outside(text: str) -> Iterator[tuple[int, str]]:
    """The characters outside brackets, with their places."""
    depth = 0
    for place, char in enumerate(text):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE and not is_arrow(text, place):
            depth -= 1
        elif depth == 0:
            yield place, char


def is_arrow(text: str, place: int) -> bool:
    """Whether a `>` ends an arrow instead of a bracket."""
    return text[place] == ">" and text[max(0, place - 1) : place] in ("=", "-")


_OPEN, _CLOSE = "([{<", ")]}>"
_NAME = re.compile(r"[\w$]+")
_RECEIVERS = frozenset({"self", "cls", "this"})
_BARE = frozenset({"", "*", "/"})
_NOTHING = frozenset({"", "None", "void"})
_LONGEST = 4_000


class Parameter(NamedTuple):
    """A parameter. `type` is empty if none is written. If it `is_open_ended`, it takes any number of arguments."""

    name: str
    type: str
    is_required: bool
    is_open_ended: bool
    by_name_only: bool
    """Whether it can only be passed by name."""


class Head(NamedTuple):
    """A function's parameters, its result as written, and whether it is asynchronous."""

    parameters: tuple[Parameter, ...]
    result: str
    is_async: bool


class Reason(NamedTuple):
    """A demand of a new signature, and the calls that it concerns: those for which `concerns` is true."""

    text: str
    concerns: Callable[[Arguments], bool]


def reasons(
    old: str,
    new: str,
    name: str,
    former_name: str,
    *,
    by_name: bool,
    optional: Collection[str] = (),
    gone: Collection[str] = (),
) -> Iterator[Reason]:
    """Why calls of the old signature may not fit the new one.

    `name` and `former_name` are the present and the former name. `by_name`: arguments may be passed by name. `optional`
    are parameters that may be missing although they have no default, `gone` names of types that don't exist any more.
    """
    before, after = head_of(old, former_name), head_of(new, name)
    if before is None or after is None:
        return
    parameters = (
        parameter._replace(is_required=parameter.is_required and parameter.name not in optional)
        for parameter in after.parameters
    )
    after = after._replace(parameters=tuple(parameters))
    yield from _by_name(before, after) if by_name else _by_place(before, after, gone)
    yield from _of_result(before, after)


_LOOKED_FOR = re.compile(
    r"(?:\bif\s*\(\s*|typeof\s+|!)([\w$]+)\b(?!\s*[.(\[])"
    r"|(?<![\w$.])([\w$]+)\s*(?:\|\||\?\?|&&|\?\.|\?[^.:]|[!=]==?\s*(?:null|undefined)\b)"
)
"""A condition on a name alone: `if (x)`, `typeof x`, `!x`, `x || y`, `x ? y : z`, `x === undefined`."""


def looked_for(body: str) -> frozenset[str]:
    """The names whose absence a function in JavaScript looks for itself."""
    return frozenset(test[1] or test[2] for test in _LOOKED_FOR.finditer(body))


def head_of(signature: str, name: str) -> Head | None:
    """The head of a function's signature, such as `async def load(path: str) -> Cart:`; None for other signatures."""
    text = signature[:_LONGEST]
    start = re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text)
    bracket = text.find("(", start.end()) if start else -1
    if start is None or bracket < 0:
        return None
    end = _end(text, bracket)
    listed = [declaration.strip() for declaration in split(text[bracket + 1 : end], ",")]
    # def f(a, *, b): the parameters behind the star can only be passed by name.
    star = listed.index("*") if "*" in listed else len(listed)
    parameters = [
        _parameter(declaration, by_name_only=number > star)
        for number, declaration in enumerate(listed)
        if declaration not in _BARE
    ]
    result = re.sub(r"^\s*(?::|->)?\s*|\s*(?:=>|[:{])?\s*$", "", text[end + 1 :])
    return Head(
        tuple(parameter for parameter in parameters if parameter.name not in _RECEIVERS),
        result,
        re.search(r"\basync\b", text[:bracket]) is not None,
    )


def _by_name(before: Head, after: Head) -> Iterator[Reason]:
    """Reasons for calls that may pass arguments by name."""
    old = {parameter.name: parameter for parameter in before.parameters if not parameter.is_open_ended}
    new = {parameter.name: parameter for parameter in after.parameters if not parameter.is_open_ended}
    placed, places = _placed(before), _placed(after)
    takes_any = any(parameter.is_open_ended for parameter in after.parameters)
    for name in old:
        if name not in new and not takes_any:
            yield Reason(f"parameter {name} is gone", _passes_gone(name, placed, places, old))
    for name, parameter in new.items():
        if parameter.is_required and name not in old:
            yield Reason(f"it needs a parameter {name}", _lacks(name, places))
        if parameter.is_required and name in old and not old[name].is_required:
            yield Reason(f"parameter {name} has no default any more", _lacks(name, places))
    if mixed := _mixed(placed, places):
        yield Reason("its parameters have another order", lambda call: call.placed > mixed[0])
    for name, parameter in new.items():
        if name in old and parameter.by_name_only and not old[name].by_name_only:
            yield Reason(
                f"parameter {name} can only be passed by name", _passes(placed.index(name) if name in placed else None)
            )


def _placed(head: Head) -> list[str]:
    """The names of the parameters that can be passed by place."""
    names = []
    for parameter in head.parameters:
        if parameter.is_open_ended or parameter.by_name_only:
            break
        names.append(parameter.name)
    return names


def _passes(at: int | None) -> Callable[[Arguments], bool]:
    """Calls that pass an argument by this place; none without a place."""
    return lambda call: at is not None and call.placed > at


def _lacks(name: str, places: Sequence[str]) -> Callable[[Arguments], bool]:
    at = places.index(name) if name in places else None
    return lambda call: name not in call.named and (at is None or call.placed <= at)


def _passes_gone(
    name: str, placed: Sequence[str], places: Sequence[str], old: Container[str]
) -> Callable[[Arguments], bool]:
    """Calls that pass it by name, or by a place that no new parameter has taken over."""
    at = placed.index(name) if name in placed else None
    is_taken_over = at is not None and at < len(places) and places[at] not in old
    return lambda call: name in call.named or (at is not None and call.placed > at and not is_taken_over)


def _mixed(placed: Sequence[str], places: Sequence[str]) -> list[int]:
    """The places at which another former parameter is now, or from which one went to another place."""
    return [
        at
        for at, (former_name, now) in enumerate(zip_longest(placed, places))
        if former_name is not None and former_name != now and (former_name in places or now in placed)
    ]


def _by_place(before: Head, after: Head, gone: Collection[str]) -> Iterator[Reason]:
    """Reasons for calls that pass arguments by place."""
    old, new = before.parameters, after.parameters
    if len(new) < len(old) and not any(parameter.is_open_ended for parameter in new):
        takes_now = f"{len(new)} parameter{'' if len(new) == 1 else 's'}"
        yield Reason(f"it takes {takes_now}, not {len(old)}", _passes(len(new)))
    needed = [at for at, parameter in enumerate(new) if parameter.is_required and not parameter.is_open_ended]
    needs_before = sum(parameter.is_required and not parameter.is_open_ended for parameter in old)
    if len(needed) > needs_before:
        last = needed[-1]
        yield Reason(f"it needs a parameter {new[needed[needs_before]].name}", lambda call: call.placed <= last)
    for at, (was, now) in enumerate(zip(old, new, strict=False)):
        if was.type and now.type and not takes(_argument_type(now), _argument_type(was), gone):
            text = f"parameter {now.name} is of another type: {now.type}, not {was.type}"
            yield Reason(text, _passes(at))


def _argument_type(parameter: Parameter) -> str:
    """The type of one argument; of a variadic parameter, the type of one of its values."""
    return parameter.type.removeprefix("...").removesuffix("[]") if parameter.is_open_ended else parameter.type


def _of_result(before: Head, after: Head) -> Iterator[Reason]:
    if before.is_async != after.is_async:
        text = "it is asynchronous now" if after.is_async else "it is not asynchronous any more"
        yield Reason(text, lambda _: True)
    elif before.result not in _NOTHING and after.result and not takes(before.result, after.result):
        yield Reason(f"it gives {after.result}, not {before.result}", lambda _: True)


def _parameter(text: str, *, by_name_only: bool) -> Parameter:
    """A parameter as written: `b: int = 1`, `b?: string`, `...rest: T[]`, `**options`, `c ...string`."""
    declared, _, default = _cut(text, "=")
    is_open = declared.startswith(("*", "...")) or " ..." in declared
    head, colon, kind = _cut(declared.lstrip("*.").strip(), ":")
    match = _NAME.match(head)
    name = match[0] if match else head.strip()
    # Go writes `count int`, without a colon.
    if not colon:
        kind = head[len(name) :].strip()
    is_optional = bool(default.strip()) or head.rstrip().endswith("?")
    return Parameter(name, "" if kind == "?" else kind.strip(), not (is_optional or is_open), is_open, by_name_only)


def _cut(text: str, sign: str) -> tuple[str, str, str]:
    """The text before and after the first `sign` outside brackets, which is no part of `=>`, `==` or `?:`."""
    for place, char in _outside(text):
        if char == sign and text[place + 1 : place + 2] not in (">", "="):
            return text[:place], sign, text[place + 1 :]
    return text, "", ""


def _end(text: str, bracket: int) -> int:
    """The place of the bracket that closes the one at `bracket`; the text's end if none does."""
    depth = 0
    for place in range(bracket, len(text)):
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
            if depth == 0:
                return place
    return len(text)
