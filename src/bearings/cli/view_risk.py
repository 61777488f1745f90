"""Terminal views of answers about risk, changes and whole projects: rows in columns."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from bearings.cli.columns import dim, filled, rows, text

_COLOURS = {"LOW": "green", "MEDIUM": "yellow", "HIGH": "red", "CRITICAL": "bold red"}
_SEVERITIES = {"minor": "dim", "major": "yellow", "breaking": "red"}
_STATUSES = {"added": "green", "removed": "red", "modified": "yellow"}


def impact(reply: Mapping[str, Any], width: int) -> RenderableType:
    """The risk and its total, affected elements by distance, affected files, the tests to run."""
    risk = Text(reply["risk_level"], _COLOURS.get(reply["risk_level"], ""))
    parts: list[RenderableType] = [
        text((reply["operation"], "cyan"), " ", (reply["element"], "bold")),
        text("risk ", risk, "" if reply.get("risk_score") is None else f" {reply['risk_score']:g}"),
        *rows([_term(row) for row in reply["risk_terms"]], width),
        *_affected(f"affected {_known(reply, 'affected_total')}", reply["affected"], width),
        *more(reply),
    ]
    if reply["ripple_effects"]:
        parts.append(_title("files", reply.get("affected_files_total"), len(reply["ripple_effects"])))
        parts += rows([[_severity(row), row["file"], dim(row["impact"])] for row in reply["ripple_effects"]], width)
    parts += _tests(reply["affected_tests"], reply.get("affected_tests_total"), width)
    if reply.get("unresolved_sites"):
        parts.append(_title("not followed", reply["unresolved_uses"], len(reply["unresolved_sites"])))
        sites = reply["unresolved_sites"]
        parts += rows([[site["name"], dim(f"{site['file']}:{site['line']}, {site['why']}")] for site in sites], width)
    return Group(*parts, *elsewhere(reply, width), *_note(reply), index(reply))


def complexity(reply: Mapping[str, Any], width: int) -> RenderableType:
    """The figures, the functions inside, dependencies, tests."""
    rank = reply.get("rank")
    facts = [
        ("cognitive", _known(reply, "cognitive_complexity")),
        ("cyclomatic", _known(reply, "cyclomatic_complexity")),
        ("lines of code", reply["lines_of_code"]),
        ("nesting", _known(reply, "nesting_depth")),
        ("parameters", _known(reply, "parameters")),
        *([("rank", f"{rank['place']} of {rank['of']}")] if rank else []),
    ]
    parts: list[RenderableType] = [text((reply["type"], "cyan"), " ", (reply["element"], "bold"))]
    parts += rows([[dim(name), str(value)] for name, value in facts], width)
    parts += [Text("recursive", "yellow")] if reply.get("recursive") else []
    if reply["members"]:
        parts.append(_title("functions", reply.get("members_total"), len(reply["members"])))
        head = [dim(word) for word in ("cognitive", "cyclomatic", "lines", "element")]
        keys = ("cognitive_complexity", "cyclomatic_complexity", "lines_of_code", "element")
        parts += rows([head, *([str(row[key]) for key in keys] for row in reply["members"])], width)
    if reply["dependencies"]:
        parts.append(_title("uses", reply.get("dependencies_total"), len(reply["dependencies"])))
        parts += [text("  ", name) for name in reply["dependencies"]]
    if reply["external"]:
        parts += [_title("uses from outside", len(reply["external"]), len(reply["external"]))]
        parts += filled(reply["external"], width)
    return Group(*parts, *_tests(reply["tests"], reply.get("tests_total"), width), *_note(reply), index(reply))


def changes(reply: Mapping[str, Any], width: int) -> RenderableType:
    """The changes, the tests to run with their commands, affected elements, untested elements."""
    head = text("since ", (reply["base"], "bold"), (f" ({reply['commit'][:12]})", "dim"))
    parts: list[RenderableType] = [
        head.append(f", {reply['changed_total']} elements in {reply['files_changed']} files")
    ]
    for file, found in groupby(reply["changed"], key=lambda row: row["element"].partition("#")[0]):
        parts += [text((file, "underline")), *rows([_change(row) for row in found], width)]
    parts += [*more(reply), *_broken(reply, width)]
    if reply["tests"]:
        parts.append(_title("tests to run, in this order", reply["tests_total"], len(reply["tests"])))
        parts += rows([[row["file"], dim(row["why"])] for row in reply["tests"]], width)
    parts += [text("  ", (line, "bold")) for line in reply["run"]]
    if reply["reached"]:
        parts += _affected(f"reached {reply['reached_total']}", reply["reached"], width)
    if reply["untested"]:
        parts.append(_title("changed, and no test reaches it", reply["untested_total"], len(reply["untested"])))
        parts += [text("  ", (name, "yellow")) for name in reply["untested"]]
    for title, key in (("no user is known, but its word stands elsewhere", "elsewhere"),
                       ("no test is known, but its word stands in tests", "named_in_tests")):  # fmt: skip
        if reply.get(key):
            parts.append(_title(title, len(reply[key]), len(reply[key])))
            parts += rows([[row["element"], dim(f"{row['places']} lines")] for row in reply[key]], width)
    if reply["other_files"]:
        parts += [_title("other files", len(reply["other_files"]), len(reply["other_files"]))]
        parts += filled(reply["other_files"], width)
    return Group(*parts, *_note(reply), index(reply))


def _broken(reply: Mapping[str, Any], width: int) -> list[RenderableType]:
    """What a change broke or left without users or tests."""
    parts: list[RenderableType] = []
    if reply.get("breaking"):
        parts.append(_title("breaks callers", reply["breaking_total"], len(reply["breaking"])))
    for row in reply.get("breaking", ()):
        parts.append(text("  ", (row["element"], "bold red"), f": {row['why']}"))
        parts += rows([[f"  {use['file']}:{use['line']}", dim(use.get("text") or "")] for use in row["uses"]], width)
    if reply.get("new_cycles"):
        parts.append(_title("new circles of imports", len(reply["new_cycles"]), len(reply["new_cycles"])))
        cycles: list[list[str | Text]] = [
            [", ".join(row["folders"]), dim(f"{row['file']}:{row['line']}")] for row in reply["new_cycles"]
        ]
        parts += rows(cycles, width)
    for title, key in (("without a known user now", "lost_users"), ("without a test now", "lost_tests")):
        if reply.get(key):
            parts.append(_title(title, reply[f"{key}_total"], len(reply[key])))
            parts += [text("  ", (name, "yellow")) for name in reply[key]]
    return parts


def context(reply: Mapping[str, Any], width: int) -> RenderableType:
    """Packages and languages, folders with their dependencies, entry points, key elements, tests, conventions."""
    page = reply.get("context")
    if page is None:
        return Group(text(reply.get("markdown", "")), *_note(reply), index(reply))
    parts: list[RenderableType] = []
    for package in page["packages"]:
        parts.append(text((package["name"] or package["manifest"], "bold"), (f"  {package['manifest']}", "dim")))
        parts += [text("  ", package["description"])] if package["description"] else []
        parts += filled(package["dependencies"], width)
    parts += rows([_language(row) for row in page["languages"]], width)
    sections: tuple[tuple[str, list[list[str | Text]]], ...] = (
        ("architecture", [_folder(row) for row in page["architecture"]]),
        ("entry points", [[row["element"], dim(row["why"])] for row in page["entry_points"]]),
        ("key elements", [_key(row) for row in page["key_elements"]]),
        ("tests", [[line] for line in page["test_patterns"]]),
        ("conventions", [[line] for line in page["conventions"]]),
        ("endpoints not understood", [[name] for name in page.get("not_understood", ())]),
        ("languages not read", [[row["extension"], f"{row['files']} files"] for row in page.get("unread", ())]),
    )
    for title, listed in sections:
        parts += [_title(title, len(listed), len(listed)), *rows(listed, width)] if listed else []
    left = [Text(f"{reply['left_out']} rows left out: raise --budget for more", "yellow")] if reply["left_out"] else []
    return Group(*parts, *left, *_note(reply), index(reply))


def _term(row: Mapping[str, Any]) -> list[str | Text]:
    return [f"{row['points']:g}", row["name"], dim(f"{row['value']:g} × {row['weight']:g}")]


def _language(row: Mapping[str, Any]) -> list[str | Text]:
    return [row["language"], f"{row['files']} files", f"{row['lines']:,} lines"]


def _change(row: Mapping[str, Any]) -> list[str | Text]:
    details = [f"{row['lines']} lines"] if row["lines"] else []
    details += ["new signature"] if row["signature_changed"] else []
    details += [f"was {row['was']}"] if row.get("was") else []
    details += [f"{row['tests']} tests reach it"]
    name = row["element"].partition("#")[2] or row["element"]
    return [Text(row["status"], _STATUSES.get(row["status"], "cyan")), dim(row["type"]), name, dim(", ".join(details))]


def _folder(row: Mapping[str, Any]) -> list[str | Text]:
    uses = f"→ {', '.join(row['uses'])}" if row["uses"] else ""
    return [row["path"], dim(f"{row['files']} files"), dim(f"{row['elements']} elements"), uses]


def _key(row: Mapping[str, Any]) -> list[str | Text]:
    mentions = f", {row['mentions']} lines elsewhere" if row.get("mentions") else ""
    return [dim(row["type"]), row["element"], dim(f"{_known(row, 'users')} users{mentions}"), row["doc"]]


def _affected(title: str, hits: Sequence[Mapping[str, Any]], width: int) -> Iterable[RenderableType]:
    """Elements by distance; those in tests dim."""
    yield Text(title, "bold")
    for depth, group in groupby(hits, key=lambda hit: hit["depth"]):
        yield Text(f"in {_steps(depth)}", "cyan")
        yield from rows([_hit(hit) for hit in group], width)


def _hit(hit: Mapping[str, Any]) -> list[str | Text]:
    is_there = hit["element"].startswith(f"{hit['file']}#")
    place = f"line {hit['line']}" if is_there else f"{hit['file']}:{hit['line']}"
    return [_severity(hit), Text(hit["element"], "dim" if hit["test"] else ""), dim(f"{hit['why']}, {place}")]


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def _tests(files: Sequence[Mapping[str, Any]], total: int | None, width: int) -> Iterable[RenderableType]:
    if files:
        yield _title("files of tests that reach it", total, len(files))
        yield from rows([[row["file"], dim(f"{row['total']} in {_steps(row['depth'])}")] for row in files], width)


def elsewhere(reply: Mapping[str, Any], width: int) -> Iterable[RenderableType]:
    """Other lines with an element's word."""
    found = reply.get("elsewhere")
    if found is None:
        return
    words = " or ".join(found["words"])
    if not found["places"]:
        yield Text(f"no other line holds {words}" + (": unused" if found["unused"] else ""), "yellow")
        return
    yield Text(f"other lines that hold {words} {found['places']}", "bold")
    lines = [[f"{row['file']}:{row['line']}", dim(row["where"]), row["source"]] for row in found["shown"]]
    yield from rows(lines, width)


def _severity(row: Mapping[str, Any]) -> Text:
    return Text(row["severity"], _SEVERITIES.get(row["severity"], ""))


def _title(name: str, total: int | None, shown: int) -> Text:
    first = f", the first {shown}" if total is not None and shown < total else ""
    return Text(f"{name} {'unknown' if total is None else total}{first}", "bold")


def _known(reply: Mapping[str, Any], name: str) -> str:
    """A figure; what is absent is unknown."""
    return "unknown" if reply.get(name) is None else str(reply[name])


def _note(reply: Mapping[str, Any]) -> list[Text]:
    return [Text(reply["note"])] if reply.get("note") else []


def more(reply: Mapping[str, Any]) -> list[Text]:
    """The number of rows that the page left out, and how to get them."""
    if not reply.get("omitted"):
        return []
    return [Text.assemble((f"… {reply['omitted']} more: ", "yellow"), f"--cursor {reply.get('next_cursor', '')}")]


def index(reply: Mapping[str, Any]) -> Text:
    """The source of the answer."""
    state = reply["index"]
    commit = f"commit {state['commit']}, " if state.get("commit") else ""
    return Text(f"{commit}{state['files']} files, {state['elements']} elements, {state['took_ms'] / 1000:.2g} s", "dim")
