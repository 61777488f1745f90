"""Places in the output of programs: tracebacks, compilers, linters, test runners, grep, diffs. Pure: text → places.

A line may be one frame of a stack; `_FRAMES` has a pattern for each program that prints them. Other lines may hold
places, `_PLACES`:

"src/shop.ts:12:5 - error TS2345: …"             tsc, mypy, grep, ripgrep
"src/shop.ts(12,5): error TS2345: …"             tsc
"tests/test_shop.py::TestAdd::test_two"          pytest
"https://…/blob/main/src/shop.ts#L12-L20"        links to lines
"+++ b/src/shop.ts" and "@@ -1,4 +1,6 @@"        a diff
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bearings.code.search.printed_paths import NAMED_ABOVE, PACKAGED

_MOST_LINES = 400
_MOST_CHARACTERS = 2_000
"""The most characters of a line that are searched."""

_LETTER = r"[^\s:()\[\]{}'\"`<>|,;]"
_PATH = rf"(?<!{_LETTER})(?:[A-Za-z]:(?=[/\\]))?{_LETTER}{{0,400}}?[^\s:()\[\]{{}}'\"`<>|,;/\\]\.[A-Za-z]\w{{0,9}}"
"""A path with an extension. It starts at a word boundary, so that a long path is matched once."""

_FRAMES = tuple(map(re.compile, (
    # Python
    r"[\s|+]*+File \"(?P<path>[^\"\n]+)\", line (?P<line>\d+)(?:, in (?P<name>[\w.<>]+))?",
    # C#
    r"\s*+at (?P<name>[^(]{1,400})\([^)]*\) in (?P<path>.+?):line (?P<line>\d{1,9})",
    # Java, Kotlin, Scala
    r"\s*+at (?P<name>[\w$.<>/@-]+)\((?P<path>[\w$-]+\.(?:java|kts?|scala|groovy)):(?P<line>\d+)\)",
    # V8: Node, Deno, Chrome, jest, mocha
    r"\s*+at (?P<name>[^(]{0,400})\((?P<path>(?:[^()]|\([^()\s]*\))+?):(?P<line>\d{1,9}):\d{1,9}\)$",
    # V8 without a function; Rust
    r"\s*+at (?:async )?(?P<path>[^\s\d].*?):(?P<line>\d{1,9}):\d{1,9}$",
    # Firefox, Safari
    r"\s*+(?P<name>[^@()]{0,400}+)@(?P<path>[\w-]+:\S*?):(?P<line>\d{1,9}):\d{1,9}$",
    # vitest
    r"\s*+❯ (?:(?P<name>\S+) )?(?P<path>\S+?):(?P<line>\d{1,9}):\d{1,9}$",
    # Go
    r"\s++(?P<path>\S.*?\.(?:go|s)):(?P<line>\d{1,9})(?: \+0x[\da-f]+)?$",
    # PHP: the name behind a place is called there, so it is not the function around it
    r"\s*+#\d+ (?P<path>[^(]+\.\w{1,9})\((?P<line>\d+)\): ",
    # Ruby
    r"\s*+(?:\d+: |from )*+(?P<path>(?:[A-Za-z]:)?[^\s:][^:]*|<internal:[^>]*>):(?P<line>\d+):in [`'](?P<name>[^']+)'",
    # pytest
    r"(?P<path>(?:[A-Za-z]:)?[^\s:]+\.py):(?P<line>\d+):(?: in (?P<name>[\w<>]+)| [A-Z]\w*)?\s*$",
)))  # fmt: skip
"""A frame of a stack on a line of its own. Each pattern has one way to match, so its time grows with the line."""

_PLACES = tuple(map(re.compile, (
    rf"(?P<path>{_PATH})#L(?P<line>\d+)",
    rf"(?P<path>{_PATH})\((?P<line>\d+)(?:,\d+\)|\):)",
    rf"(?P<path>{_PATH})(?:\?[\w=&%.+-]{{0,100}})?:(?P<line>\d+)",
    rf"(?P<path>{_PATH}) on line (?P<line>\d+)",
    rf"(?P<path>{_PATH})[\"']?,? line (?P<line>\d+)",
    rf"(?P<path>{_PATH})::(?P<name>\w[\w:]*)",
)))  # fmt: skip
_WORD = re.compile(r"<\w+>|[\w$]+")
_LAST = re.compile(r"[\s|+]*+(?:Traceback \(most recent call last\)|File \"|\S+\.py:\d+: (?:in |[A-Z]\w*$))")
"""A line of a traceback that prints the innermost frame last: Python, pytest, old Ruby."""

_CASE = re.compile(r"^\s*(?:--- )?(?:FAIL|ERROR|FAILED): (?P<name>\w+)(?:[/\w]*)?(?: \((?P<inside>[\w.]+)\)?)?")
"""A failed test of unittest or Go."""

_HEADING = re.compile(rf"^\s*(?:(?:FAIL|PASS|❯|×)\s+)?(?P<path>{_PATH})\s*(?:>.*)?$")
_BELOW = re.compile(r"^\s*(?P<line>\d+)(?::\d+\s|[:-])")
"""A line number below a file's heading, as eslint and ripgrep print it."""

_FILE = re.compile(r"^\+\+\+ (?:b/)?(?P<path>[^\t\n]+)")
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(?P<line>\d+)(?:,(?P<size>\d+))? @@")
_CONTEXT = 3
"""Context lines of a hunk before the first change."""

_BEFORE = (
    r"[\s|]*+(?:E\s+)?+(?:PHP |Fatal error: +|Uncaught |Unhandled (?:exception\. )?|\(in promise\) |error: |---> |"
    r"Caused by: |Exception in thread \"[^\"]*\" )*+"
)
_MESSAGE = re.compile(
    _BEFORE
    + r"(?P<type>(?:[\w$]+[.:\\]+)*[\w$]*(?:Error|Exception|Warning|Failure|Exit|Interrupt)|panic|fatal(?: error)?)"
    r"(?: \[?[\w ]+\]?)?(?:: (?P<message>\S.*?))?(?: in /\S+:\d+)?$"
)
_RAISED = re.compile(_BEFORE + r"(?P<type>(?:[\w$]+[.:\\]+)*[A-Z][\w$]*)(?:: (?P<message>.*))?$")
"""An error of another name, beside the frames of its stack."""

_RUBY = re.compile(r"[^:\s][^:]*:\d+:in [`'][^']*': (?P<message>.*) \((?P<type>[A-Z][\w:]*)\)$")
_PANIC = re.compile(r"thread .{1,200} (?P<type>panic)ked at (?:'(?P<message>.*)', )?\S+:\d+(?::\d+)?:?$")


class Place(NamedTuple):
    """A place as printed: `line` is 0 for a file alone; `name` is the function or test, empty if there is none."""

    path: str
    line: int
    name: str = ""


class Raised(NamedTuple):
    """An error; the message may be empty."""

    type: str
    message: str

    @property
    def name(self) -> str:
        """The class without its package."""
        return re.split(r"[.:\\]", self.type)[-1]


class Trace(NamedTuple):
    """The places in a text, the innermost first; its errors, the last first; failed tests without a file.

    `is_stack` is whether some places are frames, not only places that prose or a compiler names.
    """

    places: tuple[Place, ...]
    errors: tuple[Raised, ...] = ()
    tests: tuple[str, ...] = ()
    is_stack: bool = False


def trace_of(text: str) -> Trace:
    """The trace in a text; any text is accepted."""
    lines = [line[:_MOST_CHARACTERS].rstrip() for line in text.split("\n")[:_MOST_LINES]]
    frames = [_frame(line, before) for line, before in zip(lines, ["", *lines], strict=False)]
    last_is_innermost = any(_LAST.match(line) for line in lines)
    places = list(_places(lines, frames))
    if last_is_innermost:
        places.reverse()
        places.sort(key=lambda place: not place.line)  # failed tests of a summary come last
    once: dict[tuple[str, int, str], Place] = {}
    for place in places:
        once.setdefault((place.path, place.line, "" if place.line else place.name), place)
    errors = dict.fromkeys(reversed(list(_errors(lines, frames, last_is_innermost))))
    return Trace(tuple(once.values()), tuple(errors), tuple(dict.fromkeys(_cases(lines))), any(frames))


def _frame(line: str, before: str) -> Place | None:
    """The frame that is a line. `before` is the line above, which has the function in Go and Rust."""
    match = next((match for pattern in _FRAMES if (match := pattern.match(line))), None)
    if match is None:
        return None
    path, name = match["path"], match.groupdict().get("name") or ""
    if path.endswith(PACKAGED) and "/" not in path:  # a file alone, and the package in front of Class.method
        path = "/".join([*name.rpartition("/")[2].split(".")[:-2], path])
    elif not name and path.endswith(NAMED_ABOVE):
        name = before.rpartition("(")[0] or before
    leaf = ["", *_WORD.findall(name.partition("[")[0])][-1]
    return Place(path, int(match["line"][:9]), leaf.split("$")[1] if leaf.startswith("lambda$") else leaf)


def _errors(lines: list[str], frames: list[Place | None], last_is_innermost: bool) -> Iterator[Raised]:
    around = zip(["", *lines], lines, frames, [*lines[1:], ""], [*frames[1:], None], strict=False)
    for before, line, frame, after, below in around:
        beside = before[:1] == " " != line[:1] if last_is_innermost else below
        match = _RUBY.match(line) if frame else _MESSAGE.match(line) or _PANIC.match(line)
        if match or (beside and not frame and (match := _RAISED.match(line))):
            message = match["message"] or (after if match.re is _PANIC else "")
            yield Raised(match["type"], message.strip())


def _places(lines: list[str], frames: list[Place | None]) -> Iterator[Place]:
    heading = ""
    for line, frame in zip(lines, frames, strict=True):
        places = [frame] if frame else list(_in_line(line))
        yield from places
        if places:
            continue
        if file := _FILE.match(line):
            heading = file["path"].strip()
        elif heading and (hunk := _HUNK.match(line)):
            yield Place(heading, int(hunk["line"]) + (_CONTEXT if int(hunk["size"] or 1) > _CONTEXT else 0))
        elif top := _HEADING.match(line):
            heading = top["path"]
            if line.lstrip()[:1] in "FP❯×":
                yield Place(heading, 0)
        elif heading and (below := _BELOW.match(line)):
            yield Place(heading, int(below["line"]))


def _in_line(line: str) -> Iterator[Place]:
    """The places in one line; each part of the line is matched once."""
    taken: list[tuple[int, int]] = []
    for pattern in _PLACES:
        for match in pattern.finditer(line):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            taken.append(match.span())
            groups = match.groupdict()
            name = (groups.get("name") or "").replace("::", ".")
            yield Place(groups["path"], min(int(groups.get("line") or 0), 10**9), name)


def _cases(lines: list[str]) -> Iterator[str]:
    for line in lines:
        match = _CASE.match(line)
        if match and match["name"]:
            inside = (match["inside"] or "").removesuffix(f".{match['name']}").rpartition(".")[2]
            yield f"{inside}.{match['name']}" if inside[:1].isupper() else match["name"]
