"""What a change breaks, as a review: Markdown for people, SARIF for tools, annotations for GitHub's workflows.

    markdown(changes, "main", "feature")     # ## From `main` to `feature` …
    sarif(changes)                           # {"version": "2.1.0", …}
    github(changes)                          # "::warning file=src/a.ts,line=7,title=…::…"

A finding has the same rule, place and sentence in SARIF and in annotations.
"""

import json
import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from typing import Literal, NamedTuple
from urllib.parse import quote

from bearings.code.replies.changes import Breaking, ChangesReply
from bearings.code.replies.lines import parts_of_id

ReviewFormat = Literal["markdown", "sarif", "github"]
Level = Literal["warning", "note"]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ANNOTATIONS = {"warning": "warning", "note": "notice"}
_TICKS = re.compile(r"`+")
_PLAIN = re.compile(r"(?:(?!://|www\.|__)[\w ,.;:'()/-])*", re.IGNORECASE)
"""Text without Markdown, mentions and links."""


class Rule(NamedTuple):
    """A kind of finding."""

    id: str
    title: str
    level: Level


_BROKEN = Rule("broken-caller", "A caller was not adapted to the change of an exported element", "warning")
_CYCLE = Rule("new-import-cycle", "Folders import each other in a circle", "warning")
_UNUSED = Rule("lost-last-user", "An element lost its last known user", "note")
_UNREACHED = Rule("lost-last-test", "An element lost the last test that reaches it", "note")
_UNTESTED = Rule("untested-change", "No test reaches a changed function", "note")
REFERENCE = Rule("invalid-reference", "A CodeRef points to nothing", "warning")
RULES = (_BROKEN, _CYCLE, _UNUSED, _UNREACHED, _UNTESTED, REFERENCE)


class Finding(NamedTuple):
    """A sentence about a line."""

    rule: Rule
    file: str
    line: int
    text: str


def document(changes: ChangesReply, form: ReviewFormat, base: str, head: str) -> str:
    """The review in one of its formats."""
    if form == "markdown":
        return markdown(changes, base, head)
    return sarif(changes) if form == "sarif" else github(changes)


def findings(changes: ChangesReply) -> Iterator[Finding]:
    """Everything that a reader should look at, the gravest first."""
    for one in changes.breaking:
        for use in one.uses:
            yield Finding(_BROKEN, use.file, use.line, f"{_named(one)}: {one.why}; this use was not adapted")
    for cycle in changes.new_cycles:
        folders = ", ".join(cycle.folders)
        yield Finding(_CYCLE, cycle.file, cycle.line, f"this import closes a circle of the folders {folders}")
    for rule, ids, text in (
        (_UNUSED, changes.lost_users, "has no known user any more"),
        (_UNREACHED, changes.lost_tests, "is reached by no test any more"),
        (_UNTESTED, changes.untested, "changed, and no test reaches it"),
    ):
        for file, name, line in _places(ids):
            yield Finding(rule, file, line, f"{name} {text}")


def sarif(changes: ChangesReply, further: Iterable[Finding] = ()) -> str:
    """A log in SARIF 2.1.0 (OASIS, errata 01) of the changes and `further` findings; paths are as in the changes."""
    rules = [
        {
            "id": rule.id,
            "shortDescription": {"text": rule.title},
            "defaultConfiguration": {"level": rule.level},
        }
        for rule in RULES
    ]
    driver = {"name": "bearings", "version": version("bearings-mcp"), "rules": rules}
    results = [
        {
            "ruleId": finding.rule.id,
            "ruleIndex": RULES.index(finding.rule),
            "level": finding.rule.level,
            "message": {"text": finding.text},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": quote(_bare(finding.file)), "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": max(1, finding.line)},
                    }
                }
            ],
        }
        for finding in (*findings(changes), *further)
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def github(changes: ChangesReply, further: Iterable[Finding] = ()) -> str:
    """Commands of GitHub's workflows, one a line (docs.github.com, "Workflow commands"); as `sarif`."""
    return "\n".join(
        f"::{_ANNOTATIONS[finding.rule.level]} file={_property(finding.file)},line={max(1, finding.line)},"
        f"title={_property(finding.rule.title)}::{_data(finding.text)}"
        for finding in (*findings(changes), *further)
    )


def markdown(changes: ChangesReply, base: str, head: str) -> str:
    """A review of the change, the gravest first."""
    lines = [
        f"## From {code(base)} to {code(head)}",
        "",
        f"{len(changes.changed)} elements in {changes.files_changed} files differ.",
    ]
    for title, rows in _sections(changes).items():
        lines += ["", f"### {title}", "", *(f"- {row}" for row in rows)] if rows else []
    if changes.other_files:
        lines += ["", f"Other files: {_listed(map(code, changes.other_files), len(changes.other_files))}"]
    if changes.note:
        lines += ["", _said(changes.note)]
    return "\n".join(lines) + "\n"


def _sections(changes: ChangesReply) -> dict[str, list[str]]:
    """The rows of each section, the gravest first."""
    return {
        "Breaks callers": [
            f"{code(_named(one))} ({_place(one.file, one.line)}): {_said(one.why)}. "
            f"Not adapted: {_listed((_place(use.file, use.line) for use in one.uses), one.uses_total)}"
            for one in changes.breaking
        ],
        "New circles of imports": [
            f"{' · '.join(map(code, cycle.folders))}, closed by the import in {_place(cycle.file, cycle.line)}"
            for cycle in changes.new_cycles
        ],
        "Without a known user now": [_element(one) for one in changes.lost_users],
        "Without a test now": [_element(one) for one in changes.lost_tests],
        "Changed, and no test reaches it": [_element(one) for one in changes.untested],
        "Changed": [
            f"{one.status} {one.type} {_element(one.element)}" + (f", was {code(one.was)}" if one.was else "")
            for one in changes.changed
        ],
        "Tests to run": [
            *(f"{code(test.file)}: {_said(test.why)}" for test in changes.tests),
            *map(code, changes.run),
        ],
    }


def code(text: str) -> str:
    """Text as a code span, whatever it holds (CommonMark, 6.1)."""
    ticks = "`" * (1 + max((len(run[0]) for run in _TICKS.finditer(text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{' '.join(text.split()) or ' '}{space}{ticks}"


def _said(text: str) -> str:
    """A sentence that may quote names: as code if it holds what Markdown or GitHub (@team, #1, links) would act on."""
    return text if _PLAIN.fullmatch(text) else code(text)


def _element(element: str) -> str:
    """An element's name and place."""
    parts = parts_of_id(_bare(element))
    return f"{code(parts[1])} ({_place(parts[0], parts[2])})" if parts else code(_bare(element))


def _place(file: str, line: int) -> str:
    return code(f"{_bare(file)}:{line}")


def _listed(places: Iterable[str], total: int) -> str:
    listed = list(places)
    more = f" and {total - len(listed)} more" if total > len(listed) else ""
    return ", ".join(listed) + more


def _named(one: Breaking) -> str:
    """The name of an element, the former one of a renamed one."""
    element = _bare(one.was or one.element)
    parts = parts_of_id(element)
    return parts[1] if parts else element


def _places(ids: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    return (parts for parts in (parts_of_id(_bare(one)) for one in ids) if parts is not None)


def _bare(text: str) -> str:
    return text.removeprefix("«").removesuffix("»")


def _data(text: str) -> str:
    return " ".join(text.split()).replace("%", "%25")


def _property(text: str) -> str:
    return _data(_bare(text)).replace(":", "%3A").replace(",", "%2C")
