"""How answers about code look on a terminal. Text from a project becomes `Text` or `Syntax`, never markup."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text


def elements(reply: Mapping[str, Any], _: int) -> RenderableType:
    """The elements by file, then what was left out."""
    parts: list[RenderableType] = [Text(_counts(reply), "bold")]
    for file, members in groupby(reply["elements"], key=lambda element: element["file"]):
        parts.append(Text(file, "underline"))
        table = _plain_table()
        table.columns[0].justify = "right"
        for element in members:
            lines = f"{element['line']}" + ("" if element["exported"] else " ·")
            table.add_row(Text(f"  {lines}", "dim"), Text(element["type"], "cyan"), Text(element["qualified_name"]))
        parts.append(table)
    if reply.get("parse_errors"):
        parts.append(Text(f"{reply['parse_errors']} files could not be parsed completely", "yellow"))
    parts += [Text(f"skipped {left['path']}: {left['reason']}", "dim") for left in reply.get("skipped", ())]
    return Group(*parts, *_more(reply), _index(reply))


def relations(reply: Mapping[str, Any], _: int) -> RenderableType:
    """Edges, nearest first, each indented by its depth."""
    start = f"{reply['source']} → " if reply.get("source") else ""
    head = Text.assemble((reply["query_type"], "cyan"), " ", (start + reply["target"], "bold"))
    table = _plain_table()
    table.columns[0].overflow = "fold"
    for row in reply["results"]:
        uses = Text.assemble("  " * row["depth"], row["from"], (" → ", "dim"), row["to"])
        sure = "green" if row["confidence"] == "exact" else "yellow"
        place = Text.assemble((f"{row['type']} ", "cyan"), (f"{row['file']}:{row['line']}", "dim"))
        table.add_row(uses, place, Text(row["confidence"], sure))
    found = Text("none", "yellow") if not reply["results"] else table
    note = [Text(reply["note"])] if reply.get("note") else []
    return Group(head, found, *note, *_unresolved(reply), *_more(reply), _index(reply))


def symbol(reply: Mapping[str, Any], _: int) -> RenderableType:
    """One element: its text, and what it is bound to."""
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
    return Group(*parts, *_unresolved(reply), _index(reply))


def _uses(title: str, uses: Mapping[str, Any], about: Any) -> Iterable[RenderableType]:
    if uses["total"]:
        yield Text.assemble((title, "bold"), f" {uses['total']}")
        for item in uses["items"]:
            yield Text.assemble(f"  {item['element']}", (f"  {about(item)}", "dim"))
        if uses["total"] > len(uses["items"]):
            yield Text(f"  … {uses['total'] - len(uses['items'])} more", "dim")


def _counts(reply: Mapping[str, Any]) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in reply["by_type"].items())
    return f"{reply['elements_found']} elements" + (f": {kinds}" if kinds else "")


def _unresolved(reply: Mapping[str, Any]) -> list[Text]:
    kinds = ("external", "builtin", "ambiguous", "unresolved", "heuristic")
    said = ", ".join(f"{count} {kind}" for kind in kinds if (count := reply["unresolved"].get(kind)))
    return [Text(f"not followed: {said}", "dim")] if said else []


def _more(reply: Mapping[str, Any]) -> list[Text]:
    if not reply.get("omitted"):
        return []
    return [Text.assemble((f"… {reply['omitted']} more: ", "yellow"), f"--cursor {reply.get('next_cursor', '')}")]


def _index(reply: Mapping[str, Any]) -> Text:
    index = reply["index"]
    took = index["took_ms"] / 1000
    return Text(f"{index['files']} files, {index['elements']} elements, {took:.2g} s", "dim")


def _plain_table() -> Table:
    """Three columns without lines; the first one gives way."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table
