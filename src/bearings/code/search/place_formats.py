r"""Parses the places and names that tracebacks, searches, compilers and test runners print.

`readings("  File \"src/cart.py\", line 7, in total")` gives `[Reading("src/cart.py", "total", 7)]`: a path as it was
written with `/` between its parts, a dotted name, and a line; missing parts are empty. The most likely reading comes
first. Readings are not looked up here: the caller checks which of them a project has.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

_MAX_LENGTH = 500
"""Characters of a line that are read: the time of a pattern grows with their square."""

_MAX_LINES = 200


class Reading(NamedTuple):
    """One way to read a text. `line` is 0 if the text has none; a line without a path means nothing."""

    path: str = ""
    name: str = ""
    line: int = 0


def readings(text: str) -> list[Reading]:
    """All readings of `text` without duplicates, the likeliest first; empty if it names nothing.

    Lines are read one by one: a Python traceback from its end, where the error was raised, other texts from the start.
    """
    lines = [line[:_MAX_LENGTH] for line in text.splitlines() if line.strip()][:_MAX_LINES]
    if len(lines) > 1 and any(_PYTHON.search(line) for line in lines):
        lines.reverse()
    read = [reading for line in lines for reading in _read(line) if reading.path or reading.name]
    if len(lines) > 1:  # prose between frames names nothing
        read = [reading for reading in read if reading.line] or read
    return list(dict.fromkeys(read))


def _read(line: str) -> Iterator[Reading]:
    text = _bare(line)
    placed = False
    for form, meaning in _FORMS:
        for reading in _readings_of(form, meaning, text):
            placed = placed or bool(reading.line)
            yield reading
    if not placed and (name := name_of(text)):  # a frame's name without its file is ambiguous
        yield Reading("", name)


def _readings_of(form: re.Pattern[str], meaning: "Meaning", text: str) -> list[Reading]:
    """The readings of a text in one form: at its start, else the only place inside it; none if there are several."""
    if match := form.match(text):
        return meaning(match)
    meanings = [meaning(match) for match in form.finditer(text)]
    return meanings[0] if meanings and all(one == meanings[0] for one in meanings) else []


def _bare(text: str) -> str:
    """The text without surrounding blanks, quotes, backticks, and marks of a list or a diff."""
    bare = text.strip()
    while (inner := _AROUND.sub(r"\2", _LEADING.sub("", bare)).strip()) != bare:
        bare = inner
    return bare.rstrip(",;")


def path_of(text: str) -> str:
    """A path with `/` between its parts, without quotes, `./`, scheme or repository host."""
    path = text.strip().strip("\"'`<>")
    if "://" in path:
        path = _HOSTED.sub("", _SCHEME.sub("", unquote(path.partition("?")[0])))
    path = path.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def name_of(text: str) -> str:
    """The dotted name in a name, a declaration's head, a call or a qualified name of any language; empty for prose."""
    name = text.strip().strip("\"'`").strip()
    head = _HEAD.match(name)
    name = _ALIAS.sub("", _RECEIVER.sub(r"\1.", name[head.end() :] if head else name))
    for _ in range(len(name)):
        before, name = name, _BRACKETS.sub("", name)
        if before == name:
            break
    name = name.strip().lstrip("@&*~")
    name = re.split(r"[^\w$.:#/>?-]|:(?!:)\s*(?=\W|$)|:\s", name, maxsplit=1)[0] if head else _KIND_AFTER.sub("", name)
    name = re.sub(r"::|->|\?\.|[#/](?=[\w$])|\.prototype\.|\.<locals>\.", ".", name)
    name = _SELF.sub("", name).strip(".:;!*& ")
    return name if _NAME.fullmatch(name) else ""


def _at(path: str, line: str = "", name: str = "") -> list[Reading]:
    cleaned = path_of(path)
    return [Reading(cleaned, name_of(name) if name else "", int(line[:9]) if line else 0)] if cleaned else []


def _frame(match: re.Match[str]) -> list[Reading]:
    return _at(match["path"], match["line"], match.groupdict().get("name") or "")


def _inside(match: re.Match[str]) -> list[Reading]:
    """`path::TestA::test_b[param]`, `path:name`, `path#name`, `name in path`."""
    name = re.sub(r"\[.*", "", match["name"])
    return _at(match["path"], "", name) if name_of(name) else []


def _changed(match: re.Match[str]) -> list[Reading]:
    """A path of a diff, without the first folder (`a/`, `b/`), and with it in case it is a real folder."""
    return [*_at(match["path"]), *_at(match["whole"])]


def _go_frame(match: re.Match[str]) -> list[Reading]:
    """`github.com/me/app/shop.(*Cart).Add(0xc0, 0x1)`: the path of a package, then a name in it."""
    folder = match["folder"] or ""
    name = name_of(match["name"])
    return [Reading(folder, name)] if folder and name else []


Meaning = Callable[[re.Match[str]], list[Reading]]

_FILE = r"(?P<path>(?:[\w-]+://[^\s/:]*(?::\d+)?)?(?:[A-Za-z]:[\\/])?[^\s:;,(){}\"'`<>|]*\.[A-Za-z]\w{0,9})"
"""A path with an extension."""

_PYTHON = re.compile(r"\bFile \"(?P<path>[^\"]+)\", line (?P<line>\d+)(?:, in (?P<name>[^\s]+))?")

_FORMS: tuple[tuple[re.Pattern[str], Meaning], ...] = (
    (_PYTHON, _frame),
    # node, Chrome, jest, Firefox: at async Cart.total [as x] (file:///a/b.js:3:4), total@http://host/b.js:3:4
    (re.compile(r"\bat (?:(?:async|new) )*(?P<name>[^()]+?) \((?P<path>[^()]+?):(?P<line>\d+)(?::\d+)?\)"), _frame),
    (re.compile(r"\bat (?:async )?(?P<path>(?:\w+://)?[^\s()]+?):(?P<line>\d+):\d+"), _frame),
    (re.compile(r"^(?P<name>[\w$.<>/]*)@(?P<path>\S+?):(?P<line>\d+):\d+$"), _frame),
    # pytest, and a name behind a path: tests/a.py::TestA::test_b[1-x]
    (re.compile(rf"{_FILE}::(?P<name>[\w$]+(?:(?:::|\.)[\w$]+)*)"), _inside),
    # tsc, MSVC: src/a.ts(3,4): error; eslint's compact form: a.js: line 3, col 4
    (re.compile(rf"{_FILE}\((?P<line>\d+)(?:,\d+)?\)"), _frame),
    (re.compile(rf"{_FILE},?:?,? (?:on )?lines? (?P<line>\d+)"), _frame),
    (re.compile(r"^(?P<path>[^:\"]* [^:\"]*\.\w{1,9}):(?P<line>\d+)(?!\w)"), _frame),
    # grep, ripgrep, gcc, go, mypy, pyright, rustc: path:3:4, also grep's lines of context, path-3-
    (re.compile(rf"{_FILE}:(?P<line>\d+)(?!\w)"), _frame),
    (re.compile(r"^(?P<path>[^\s:]*[\\/][^\s:/\\]*|[A-Z]\w*file):(?P<line>\d+)(?!\w)"), _frame),
    (re.compile(rf"^{_FILE}-(?P<line>\d+)-"), _frame),
    # a forge's links, and editors: path#L3-L9, path@3
    (re.compile(rf"{_FILE}#L?(?P<line>\d+)"), _frame),
    (re.compile(rf"{_FILE}@(?P<line>\d+)$"), _frame),
    (re.compile(rf"^{_FILE}(?:#|:|\s+>\s+|\s+)(?P<name>[\w$][^:]*)$"), _inside),
    (re.compile(rf"^(?P<name>[\w$.#:()]+) (?:in|at|from|of) \(?{_FILE}\)?$"), _inside),
    (re.compile(rf"^(?P<name>[\w$.#:]+(?:\(\))?) \({_FILE}\)$"), _inside),
    # diffs: diff --git a/x b/x, +++ b/x, @@ -1 +1 @@ def f(
    (re.compile(r"^diff --git a/\S+ (?P<whole>b/(?P<path>\S+))$"), _changed),
    (re.compile(r"^(?P<whole>[abciow]/(?P<path>[^\s:]+))(?:\s\S.*)?$"), _changed),
    # Go's panics: github.com/me/app/shop.(*Cart).Add(…)
    (re.compile(r"^(?P<folder>(?:[\w.~-]+/)*[\w~-]+)\.(?P<name>\(\*?\w+\)\.\w+|\w+)\("), _go_frame),
    (re.compile(rf"^{_FILE}$"), lambda match: _at(match["path"])),
    (re.compile(r"^(?P<path>[^\s:()]+[\\/][^\s:()]*)$"), lambda match: _at(match["path"])),
)  # fmt: skip
"""The pattern of each form and its meaning, in the order in which they are tried."""

_AROUND = re.compile(r"^([\"'`<(\[]+)(.*?)[\"'`>)\],.]+$")
_LEADING = re.compile(
    r"^(?:[-*•>●✕✖✗]\s+|-->\s+|(?:FAILED|ERROR|PASSED|FAIL|PASS|XFAIL)\s+|-+ (?:FAIL|PASS|SKIP): |[+-]{3} (?=\S)|"
    r"@@ [^@]* @@\s*|_{3,}\s+|created by |(?:In file included )?from (?=\S+:\d))"
)
_SCHEME = re.compile(r"^[\w-]+://(?:localhost|127\.0\.0\.1)?(?::\d+)?(?:/?\./|/\(\w+\)/\./)?")
_HOSTED = re.compile(r"^[\w.-]+\.\w+/[^/]+/[^/]+/(?:-/)?(?:blob|tree|raw|blame|src)/[^/]+/")
_KINDS = (
    "def|class|function|func|interface|type|enum|const|let|var|struct|method|component|hook|constant|variable|property|"
    "constructor|module|decorator"
)
_HEAD = re.compile(
    rf"^(?:(?:export|default|public|private|protected|static|abstract|async|await|new|the|return|raise|get|set|{_KINDS})\*?\s+)+"
)
"""Keywords before a name in a declaration or a use."""

_KIND_AFTER = re.compile(rf"\s+(?:{_KINDS})$")
_RECEIVER = re.compile(r"^(?:\(\s*(?:\w+\s+)?\*?(\w+)\s*\)[\s.])")
"""The receiver of a Go method, declared as `(t *Table) Add` or printed as `(*Table).Add`."""

_ALIAS = re.compile(r"\s*\[as \w+\]$|\s*\(\d+\.\d+s\)$|\s+_{3,}$|\s+/>?$")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|(?<=\w)<[^<>]*>")
_SELF = re.compile(r"^(?:self|this|cls|super|Object|Module|exports|module\.exports|globalThis|window)\.(?=\w)")
_NAME = re.compile(r"[^\W\d][\w$]*(?:\.[\w$]+)*|[$][\w$]*(?:\.[\w$]+)*")
