"""Replies for a person: a view on a terminal, otherwise the plain text, complete and line by line."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bearings.reply import Reply

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Structured = Mapping[str, Any]


def rendered(tool: str, reply: Reply, structured: Structured, console: "Console | None" = None) -> str:
    """The output for `reply`, without a final newline. The console knows colours, width and NO_COLOR."""
    if console is None and not sys.stdout.isatty():
        return reply.to_text()
    parts = reply.separately()
    if parts != (reply,):
        shown = [
            rendered(tool, part, part.structured(), console) if isinstance(part, Reply) else part.to_text()
            for part in parts
        ]
        return "\n\n".join(filter(None, [structured.get("namesakes"), *shown]))
    from rich.console import Console

    console = console or Console()
    view = _views().get(tool)
    if view is None:
        return reply.to_text()
    told = structured.get("namesakes")
    with console.capture() as captured:
        if told:
            console.print(told, style="bold yellow", markup=False, highlight=False)
        console.print(view(structured, console.width), highlight=False, crop=False)
    return captured.get().rstrip("\n")


def _views() -> "Mapping[str, Callable[[Structured, int], RenderableType]]":
    """The views of tools; the others print their text."""
    from bearings.cli import view_code, view_places, view_risk

    return {
        "geocode": view_places.results,
        "reverse_geocode": view_places.place,
        "bbox_from_place": view_places.box,
        "admin_boundaries": view_places.hierarchy,
        "lookup_places": view_places.results,
        "nearby_places": view_places.nearby,
        "batch_geocode": view_places.batch,
        "route_waypoints": view_places.route,
        "distance_matrix": view_places.matrix,
        "geocoder_status": view_places.status,
        "coderef_scan": view_code.elements,
        "coderef_query": view_code.relations,
        "coderef_symbol": view_code.symbol,
        "coderef_impact": view_risk.impact,
        "coderef_complexity": view_risk.complexity,
        "coderef_changes": view_risk.changes,
        "coderef_context": view_risk.context,
    }
