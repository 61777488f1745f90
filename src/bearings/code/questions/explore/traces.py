"""Places in the output of programs: tracebacks, compilers, linters, test runners, grep, diffs. Pure: text → places.

'File "app/shop.py", line 12, in add'            Python
"at add (/srv/app/src/shop.ts:12:5)"             JavaScript, Java, Go, Rust, grep, ripgrep, mypy, eslint
"src/shop.ts(12,5): error TS2345: …"             tsc
"tests/test_shop.py::TestAdd::test_two"          pytest
"https://…/blob/main/src/shop.ts#L12-L20"        links to lines
"+++ b/src/shop.ts" and "@@ -1,4 +1,6 @@"        a diff
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

_MOST_LINES = 400
_MOST_CHARACTERS = 2_000
"""The most characters of a line that are searched."""

_LETTER = r"[^\s:()\[\]{}'\"`<>|,;]"
_PATH = rf"(?<!{_LETTER})(?:[A-Za-z]:(?=[/\\]))?{_LETTER}{{0,400}}?[^\s:()\[\]{{}}'\"`<>|,;/\\]\.[A-Za-z]\w{{0,9}}"
"""A path with an extension. It starts at a word boundary, so that a long path is matched once."""

_PLACES = tuple(
    re.compile(pattern)
    for pattern in (
        r"File \"(?P<path>[^\"\n]+)\", line (?P<line>\d+)(?:, in (?P<name>[\w.<>]+))?",
        rf"(?P<path>{_PATH})#L(?P<line>\d+)",
        rf"(?P<path>{_PATH})\((?P<line>\d+)(?:,\d+\)|\):)",
        rf"(?P<path>{_PATH}):(?P<line>\d+)",
        rf"(?P<path>{_PATH}) on line (?P<line>\d+)",
        rf"(?P<path>{_PATH})[\"']?,? line (?P<line>\d+)",
        rf"(?P<path>{_PATH})::(?P<name>\w[\w:]*)",
    )
)
_IN = re.compile(r"^\s*(?:at )?(?:async )?(?P<name>[\w$.<>#*]+(?: \[as \w+\])?) ?\(")
"""The function at the start of a line of a JavaScript or Java trace."""

_CASE = re.compile(r"^\s*(?:--- )?(?:FAIL|ERROR|FAILED): (?P<name>\w+)(?:[/\w]*)?(?: \((?P<inside>[\w.]+)\)?)?")
"""A failed test of unittest or Go."""

_HEADING = re.compile(rf"^\s*(?:(?:FAIL|PASS|❯|×)\s+)?(?P<path>{_PATH})\s*(?:>.*)?$")
_BELOW = re.compile(r"^\s*(?P<line>\d+)(?::\d+\s|[:-])")
"""A line number below a file's heading, as eslint and ripgrep print it."""

_FILE = re.compile(r"^\+\+\+ (?:b/)?(?P<path>[^\t\n]+)")
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(?P<line>\d+)(?:,(?P<size>\d+))? @@")
_CONTEXT = 3
"""Context lines of a hunk before the first change."""

_MESSAGE = re.compile(
    r"^\s*(?:E\s+)?(?:Uncaught |Unhandled |Caused by: )*"
    r"(?P<type>(?:[\w$]+[.:]+)*[\w$]*(?:Error|Exception|Warning|Failure|Exit)|panic|fatal(?: error)?)"
    r"(?: \[?[\w ]+\]?)?: (?P<message>\S.*)$"
)


class Place(NamedTuple):
    """A place as printed: `line` is 0 for a file alone; `name` is the function or test, empty if there is none."""

    path: str
    line: int
    name: str = ""


class Trace(NamedTuple):
    """The places in a text, the innermost first; the error's type and message; failed tests without a file."""

    places: tuple[Place, ...]
    error: str = ""
    message: str = ""
    tests: tuple[str, ...] = ()


def trace_of(text: str) -> Trace:
    """The trace in a text; any text is accepted."""
    lines = [line[:_MOST_CHARACTERS] for line in text.split("\n")[:_MOST_LINES]]
    places = list(dict.fromkeys(_places(lines)))
    if any(line.lstrip().startswith('File "') for line in lines):  # Python prints the innermost last
        places.reverse()
    messages = [match for line in lines if (match := _MESSAGE.match(line))]
    last = messages[-1] if messages else None
    return Trace(
        tuple(places),
        last["type"] if last else "",
        last["message"].strip() if last else "",
        tuple(dict.fromkeys(_cases(lines))),
    )


def _places(lines: list[str]) -> Iterator[Place]:
    heading = ""
    for line in lines:
        places = list(_in_line(line))
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
            name = groups.get("name") or _name_before(line[: match.start()])
            yield Place(groups["path"], min(int(groups.get("line") or 0), 10**9), name.replace("::", "."))


def _name_before(line: str) -> str:
    match = _IN.match(line)
    return match["name"].partition(" ")[0].rpartition(".")[2] if match else ""


def _cases(lines: list[str]) -> Iterator[str]:
    for line in lines:
        match = _CASE.match(line)
        if match and match["name"]:
            inside = (match["inside"] or "").removesuffix(f".{match['name']}").rpartition(".")[2]
            yield f"{inside}.{match['name']}" if inside[:1].isupper() else match["name"]


def path_in(path: str, paths: Collection[str], tails: Mapping[str, Sequence[str]]) -> list[str]:
    """The files that a printed path means: the file that is its longest tail, or the files that end in it.

    `tails` are the project's paths by file name.
    """
    plain = path.replace("\\", "/").partition("?")[0]
    parts = [part for part in plain.split("/") if part not in ("", ".", "..")]
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        if tail in paths:
            return [tail]
    wanted = "/" + "/".join(parts)
    return [each for each in tails.get(parts[-1], ()) if f"/{each}".endswith(wanted)] if parts else []
