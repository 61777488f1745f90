"""JSON, with or without comments, edited as text: members are inserted and removed, every other byte stays.

Comments and trailing commas are blanked first, so that `json` can parse the rest and positions stay the same. New
members follow an object's last one in the file's style: its indent, its line ends, on one line if the file is one
line.

    inserted('{"a": 1} // ours', ("servers",), {"b": {}}, comments=True)  ->  '{"a": 1, "servers": {"b": {}}} // ours'
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NoReturn

from bearings import parsing
from bearings.errors import WriteFailed

_STRING = r'"(?:[^"\\]++|\\.)*+"?'  # an open string extends to the end, so that no text is scanned twice
_COMMENT = re.compile(rf"({_STRING})|//[^\r\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*+[}}\]])", re.DOTALL)
_BLANK = re.compile(r"[ \t\r\n]*")
_VISIBLE = re.compile(r"[^\r\n]")
_LINE_COMMENT = re.compile(r"[ \t]*(,?)[ \t]*//[^\r\n]*")
_REST_OF_LINE = re.compile(r"[^\n]*")
_MOST_REMOVED = 20
"""Members that `removed` takes out one by one, each by parsing the whole text again."""


class Broken(ValueError):
    """The text is malformed; the message has the position."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object or a list: its key and the key's start, its value's start and end."""

    key: str
    start: int
    value: int
    end: int


def parse(text: str, *, comments: bool) -> dict[str, Any]:
    """The object that the whole text is. Raises Broken."""
    try:
        value = parsing.from_json(_plain(text, comments), _DECODER)
    except json.JSONDecodeError as error:
        raise Broken(f"line {error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise Broken(str(error)) from None
    if not isinstance(value, dict):
        raise Broken("it holds no object")
    return value


def inserted(
    text: str,
    keys: Sequence[str],
    content: Mapping[str, Any] | list[Any],
    head: Mapping[str, Any] = MappingProxyType({}),
    *,
    comments: bool,
) -> str:
    """`text` with `content` at the end of the object or list at `keys`, which is made behind `head` if missing.

    An empty text becomes an object. `parse` must accept `text`; the existing values at `keys` are objects, and the last
    one is of the kind of `content`.
    """
    if is_blank(text):
        return text + json.dumps({**head, **_nested(keys, content)}, indent=2, ensure_ascii=False) + "\n"
    plain = _plain(text, comments)
    root = _skip(plain, 0)
    path = _path(plain, keys)
    if not path:
        names = {member.key for member in _members(plain, root)[0]}
        content = {**{name: value for name, value in head.items() if name not in names}, **_nested(keys, content)}
    elif len(path) < len(keys):
        content = _nested(keys[len(path) :], content)
    return _append_members(text, plain, path[-1].value if path else root, content, _Style.of(text, plain, root))


def removed(text: str, keys: Sequence[str], is_unwanted: Callable[[str, Any], bool], *, comments: bool) -> str:
    """`text` without the unwanted members of the object or list at `keys`, and without lines that held nothing else.

    `is_unwanted` is asked about the key and the value of each member.
    """
    while True:
        plain = _plain(text, comments)
        path = _path(plain, keys)
        members = _members(plain, path[-1].value)[0] if len(path) == len(keys) else []
        unwanted = [
            member for member in members if is_unwanted(member.key, _DECODER.raw_decode(plain, member.value)[0])
        ]
        if not unwanted:
            return text
        if len(unwanted) > _MOST_REMOVED:
            raise WriteFailed(f"it starts the same program {len(unwanted)} times", "Fix it first; nothing was changed.")
        text = _remove_member(text, _uncommented(text) if comments else text, unwanted[-1])


def pruned(text: str, keys: Sequence[str], *, comments: bool) -> str:
    """`text` without the object or list at `keys` if it is empty: not even a comment is in it."""
    plain = _plain(text, comments)
    path = _path(plain, keys)
    if (
        len(path) < len(keys)
        or plain[path[-1].value] not in "{["
        or text[path[-1].value + 1 : path[-1].end - 1].strip()
    ):
        return text
    return _remove_member(text, _uncommented(text) if comments else text, path[-1])


def _path(plain: str, keys: Sequence[str]) -> list[Member]:
    """The members on the way to the value at `keys`, as far as they are there; of several with one key the last."""
    path: list[Member] = []
    at = _skip(plain, 0)
    for key in keys:
        existing = [member for member in _members(plain, at)[0] if member.key == key] if plain[at] == "{" else []
        if not existing:
            break
        path.append(existing[-1])
        at = existing[-1].value
    return path


def _nested(keys: Sequence[str], value: Any) -> dict[str, Any]:
    for key in reversed(keys):
        value = {key: value}
    return dict(value)


def is_blank(text: str) -> bool:
    """Whether the text is white space only."""
    return not text.strip("\ufeff \t\r\n")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_number)


def _uncommented(text: str) -> str:
    """`text` with spaces for comments, of the same length."""
    return _COMMENT.sub(lambda match: match[1] or _VISIBLE.sub(" ", match[0]), text)


def _plain(text: str, comments: bool) -> str:
    """`text` as JSON, of the same length."""
    if text.startswith("\ufeff"):
        text = " " + text[1:]
    return _TRAILING_COMMA.sub(lambda match: match[1] or " ", _uncommented(text)) if comments else text


def _members(plain: str, at: int) -> tuple[list[Member], int]:
    """The members of the object or list at `at`, and its end; a list's members have no key."""
    members: list[Member] = []
    is_list = plain[at] == "["
    at = _skip(plain, at + 1)
    while plain[at] not in "}]":
        key, value = "", at
        if not is_list:
            key, end = _DECODER.raw_decode(plain, at)
            value = _skip(plain, _skip(plain, end) + 1)
        _, end = _DECODER.raw_decode(plain, value)
        members.append(Member(key, at, value, end))
        at = _skip(plain, end)
        at = _skip(plain, at + 1) if plain[at] == "," else at
    return members, at


def _skip(plain: str, at: int) -> int:
    blanks = _BLANK.match(plain, at)
    assert blanks is not None
    return blanks.end()


@dataclass(frozen=True, slots=True)
class _Style:
    """The layout of a file: its line ends, one step of its indent, whether it is one line."""

    newline: str
    step: str
    one_line: bool

    @classmethod
    def of(cls, text: str, plain: str, root: int) -> "_Style":
        """The layout of the file whose object starts at `root`."""
        members, close = _members(plain, root)
        return cls(
            newline="\r\n" if "\r\n" in text else "\n",
            step=(_indent(text, members[0].start) if members else "") or "  ",
            one_line=bool(members) and "\n" not in plain[root:close],
        )

    def written(self, members: Mapping[str, Any] | list[Any], indent: str) -> str:
        """The lines of `members` behind `indent`, without the brackets around them."""
        if self.one_line:
            return json.dumps(members, ensure_ascii=False)[1:-1]
        lines = json.dumps(members, indent=self.step, ensure_ascii=False).split("\n")[1:-1]
        return self.newline.join(indent + line.removeprefix(self.step) for line in lines)


def _append_members(text: str, plain: str, start: int, members: Mapping[str, Any] | list[Any], style: _Style) -> str:
    """`text` with `members` at the end of the object or list that starts at `start`."""
    existing, close = _members(plain, start)
    newline = "" if style.one_line else style.newline
    indent = _indent(text, start)
    body = style.written(members, (_indent(text, existing[-1].start) if existing else "") or indent + style.step)
    if not existing:
        at = len(text[:close].rstrip(" \t\r\n"))
        tail = "" if "\n" in text[at:close] or style.one_line else newline + indent
        return text[:at] + newline + body + tail + text[at:]
    end = existing[-1].end
    comment = _LINE_COMMENT.match(text, end)  # `"b": 2 // two`: the comma follows the value, new members the comment
    if comment is None:
        return f"{text[:end]},{newline or ' '}{body}{text[end:]}"
    comma, trailing = ("", ",") if comment[1] else (",", "")  # a trailing comma before the comment stays one
    return f"{text[:end]}{comma}{comment[0]}{newline}{body}{trailing}{text[comment.end() :]}"


def _remove_member(text: str, masked: str, member: Member) -> str:
    """`text` without one member and its comma. In `masked` comments are blanked, commas are not."""
    start, end = member.start, member.end
    ahead = _skip(masked, end)
    behind = len(masked[:start].rstrip(" \t\r\n")) - 1
    if masked[ahead] == ",":  # the comma behind the member goes, else the one before it
        text = text[:end] + text[end:ahead] + text[ahead + 1 :]
    elif masked[behind] == ",":
        text = text[:behind] + text[behind + 1 :]
        start, end = start - 1, end - 1
    blank = len(text[:start].rstrip(" \t"))
    rest = _REST_OF_LINE.match(text, end)
    assert rest is not None
    if text[blank - 1] in "{[":  # `{"x": 0, "a": 1}`: the space that parted the two goes, too
        start, end = blank, end + len(rest[0]) - len(rest[0].lstrip(" \t"))
    elif text[blank - 1] != "\n":  # another member before it on its line, which stays
        start = blank
    elif not rest[0].strip():
        start = blank - (2 if text[blank - 2] == "\r" else 1)
    text = text[:start] + text[end:]
    # An object that became empty is `{}`, as it was before something was inserted.
    brace, close = len(text[:start].rstrip(" \t\r\n")), _skip(text, start)
    return text[:brace] + text[close:] if text[brace - 1] + text[close] in ("{}", "[]") else text


def _indent(text: str, at: int) -> str:
    """The white space at the beginning of the line at `at`."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
