"""Terminal views of answers about code. Text from a project becomes `Text` or `Syntax`, never markup."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from bearings.cli.view_risk import elsewhere, index, more


def elements(reply: Mapping[str, Any], _: int) -> RenderableType:
    """The elements by file, unexported ones dim, then a count of those left out."""
    parts: list[RenderableType] = [Text(_counts(reply), "bold")]
    for file, members in groupby(reply["elements"], key=lambda element: element["file"]):
        parts.append(Text(file, "underline"))
        table = _plain_table()
        table.columns[0].justify = "right"
        for element in members:
            name = Text(element["qualified_name"], "" if element["exported"] else "dim")
            table.add_row(Text(f"  {element['line']}", "dim"), Text(element["type"], "cyan"), name)
        parts.append(table)
    parts += [Text(reply["note"])] if reply.get("note") else []
    if reply.get("parse_errors"):
        files = " ".join(reply.get("parse_error_files", ()))
        parts.append(Text(f"{reply['parse_errors']} files could not be parsed completely: {files}", "yellow"))
    skipped = reply.get("skipped", ())
    parts += [Text(f"skipped {left['path']}: {left['reason']}", "dim") for left in skipped]
    if reply.get("skipped_total", 0) > len(skipped):
        parts.append(Text(f"… {reply['skipped_total'] - len(skipped)} more skipped", "dim"))
    return Group(*parts, *more(reply), index(reply))


def relations(reply: Mapping[str, Any], width: int) -> RenderableType:
    """Edges as a tree from the target, or from the source of a path; repeated edges are one branch."""
    back = reply["query_type"].endswith("-me")
    root = reply["source"] if reply["query_type"] == "path" and reply.get("source") else reply["target"]
    tree = Tree(Text.assemble((reply["query_type"], "cyan"), " ", (root, "bold")), guide_style="dim")
    grown = {root: tree}
    for (near, far, kind, file, confidence), lines in _merged(reply["results"], back).items():
        from_elsewhere = "" if near in grown else f" {'→' if back else '←'} {near}"
        sure = "green" if confidence == "exact" else "yellow"
        at = f"  {kind} {file}:{','.join(map(str, lines))} "
        branch = grown.get(near, tree).add(Text.assemble(far, from_elsewhere, (at, "dim"), (confidence, sure)))
        grown.setdefault(far, branch)
    if not reply["results"]:
        tree.add(Text("none", "yellow"))
    note = [Text(reply["note"])] if reply.get("note") else []
    return Group(tree, *note, *_unresolved(reply), *elsewhere(reply, width), *more(reply), index(reply))


def _merged(rows: Iterable[Mapping[str, Any]], back: bool) -> dict[tuple[str, ...], list[int]]:
    """The lines of each edge, by its near end, far end, kind, file and confidence."""
    near, far = ("to", "from") if back else ("from", "to")
    found: dict[tuple[str, ...], list[int]] = {}
    for row in rows:
        edge = (row[near], row[far], row["type"], row["file"], row["confidence"])
        found.setdefault(edge, []).append(row["line"])
    return found


def symbol(reply: Mapping[str, Any], width: int) -> RenderableType:
    """One element: its text and its relations."""
    element = reply["element"]
    where = f"{element['file']}:{element['line']}"
    parts: list[RenderableType] = [
        Text.assemble((element["type"], "cyan"), " ", (element["qualified_name"], "bold"), (f"  {where}", "dim"))
    ]
    if reply.get("doc"):
        parts.append(Text(reply["doc"], "italic"))
    parts.append(
        Syntax(
            reply["source"],
            reply["language"],
            line_numbers=True,
            start_line=element["line"],
            background_color="default",
            word_wrap=True,
        )
    )
    if reply.get("source_cut"):
        parts.append(Text(f"… {reply['source_cut']} more lines", "dim"))
    for title in ("callers", "callees", "references"):
        parts += _uses(title, reply[title], lambda use: f"{use['type']}, line {use['line']}, {use['confidence']}")
    parts += _uses("tests", reply["tests"], lambda test: f"{test['depth']} steps")
    if reply.get("unresolved_callers"):
        parts.append(Text(f"{reply['unresolved_callers']} unresolved call sites have this name", "yellow"))
    parts += [Text(f"  {site['file']}:{site['line']} {site['why']}", "yellow") for site in reply["through_bases"]]
    parts += [Text(reply["note"])] if reply.get("note") else []
    return Group(*parts, *_unresolved(reply), *elsewhere(reply, width), index(reply))


def _uses(title: str, uses: Mapping[str, Any], about: Any) -> Iterable[RenderableType]:
    total, items = uses.get("total"), uses.get("items", [])
    if total != 0:
        yield Text.assemble((title, "bold"), f" {'unknown' if total is None else total}")
        for item in items:
            yield Text.assemble(f"  {item['element']}", (f"  {about(item)}", "dim"))
        if (left := (total or 0) - len(items)) > 0:
            yield Text(f"  … {left} more", "dim")


def _counts(reply: Mapping[str, Any]) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in reply["by_type"].items())
    return f"{reply['elements_found']} elements" + (f": {kinds}" if kinds else "")


def _unresolved(reply: Mapping[str, Any]) -> list[Text]:
    kinds = ("external", "builtin", "ambiguous", "unresolved", "heuristic")
    counts = ", ".join(f"{count} {kind}" for kind in kinds if (count := reply["unresolved"].get(kind)))
    return [Text(f"not followed: {counts}", "dim")] if counts else []


def _plain_table() -> Table:
    """Three columns without lines; the first one shrinks."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table
