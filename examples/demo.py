"""The main job of both servers, through real MCP clients over stdio. Exit status 0 only if every answer was right.

make demo        (or: python examples/demo.py)
"""

import ast
import asyncio
import os
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import Client, StdioServerParameters
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
FERRY = ROOT / "examples" / "ferry"

# What to ask, and what any atlas says: country, and a point within so many degrees.
NAMES = [
    ("Boulder", "us", 40.0, -105.3),
    ("Paris", "fr", 48.9, 2.3),
    ("東京", "jp", 35.7, 139.7),
    ("Москва", "ru", 55.8, 37.6),
    ("القاهرة", "eg", 30.0, 31.2),
    ("Île-de-France", "fr", 48.7, 2.5),
    ("Deutschland", "de", 51.0, 10.0),
    ("Springfield, Illinois", "us", 39.8, -89.6),
    ("Cambridge, UK", "gb", 52.2, 0.1),
    ("Cambridge, MA", "us", 42.4, -71.1),
]

PATIENCE_S = 600
"""How long to wait for a reply: nothing here takes long, but a busy machine may be twenty times as slow."""

console = Console()


class Checked:
    """Counts what was right, and says what was not."""

    def __init__(self):
        self.right = 0
        self.wrong = []

    def that(self, holds, what):
        if holds:
            self.right += 1
        else:
            self.wrong.append(what)
        return Text("✓", "green") if holds else Text("✗", "bold red")


checked = Checked()


@asynccontextmanager
async def server(*words):
    """An MCP client to `bearings WORDS serve stdio` in a process of its own."""
    # A client starts servers with a small environment; where caches lie should be as for everything else here.
    caches = {name: value for name, value in os.environ.items() if name.startswith("XDG_")}
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "bearings", *words, "serve", "stdio"], env=caches
    )
    started = time.perf_counter()
    async with Client(command, read_timeout_seconds=PATIENCE_S) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        console.print(
            f"[dim]bearings {' '.join(words)} serve stdio: {len(names)} tools "
            f"in {time.perf_counter() - started:.1f} s[/dim]"
        )
        yield client


OBJECTS = ("coderef_scan", "coderef_query", "coderef_symbol")
"""Tools that answer with lines for a model to read; this program wants objects."""


async def ask(client, tool, **arguments):
    """The structured reply; an error becomes {"error": …}. Progress is drawn while it lasts, on a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(
        *columns, transient=True, console=(shown := Console(stderr=True)), disable=not shown.is_terminal
    ) as bar:
        task = bar.add_task(tool, total=None)

        async def on_progress(progress, total=None, message=None):
            bar.update(task, completed=progress, total=total, description=message or tool)

        full = {"detail": "full"} if tool in OBJECTS else {}
        result = await client.call_tool(tool, {**arguments, **full}, progress_callback=on_progress)
    return result.structured_content or {}


async def places():
    console.print(Rule("places", align="left"))
    async with server("places") as client:
        table = Table("asked for", "found", "point", "", box=None, header_style="dim", pad_edge=False)
        for query, country, lat, lon in NAMES:
            reply = await ask(client, "geocode", query=query, limit=1)
            hit = (reply.get("results") or [{}])[0]
            found = hit.get("address", {}).get("country_code") == country
            near = found and abs(hit["lat"] - lat) < 1.5 and abs(hit["lon"] - lon) < 1.5
            point = f"{hit['lat']:.3f}, {hit['lon']:.3f}" if hit else "–"
            table.add_row(query, hit.get("display_name", "nothing"), point, checked.that(near, f"geocode {query}"))
        address = await ask(client, "geocode", query="10 Downing Street, London", limit=1)
        town = (address.get("results") or [{}])[0]
        is_town = town.get("name") == "London" and address.get("unused") == ["10 Downing Street"]
        is_town = is_town and town["confidence"] < 0.8
        table.add_row(
            "10 Downing Street, London",
            "its town, the street unused",
            f"{town['lat']:.3f}, {town['lon']:.3f}" if town else "–",
            checked.that(is_town, "an address gives its town"),
        )
        console.print(table)
        await box_and_back(client)


async def box_and_back(client):
    box = await ask(client, "bbox_from_place", query="Fiji")
    halves = box.get("bboxes", [])
    fits = len(halves) == 2 and all(w < e and s < n for w, s, e, n in halves) and box["area_km2"] < 1e6
    console.print()
    console.print(f"Fiji's box crosses the 180th meridian: {box.get('bbox')}")
    console.print(f"  for a DEM or STAC server: {halves} ", checked.that(fits, "Fiji in two boxes"))

    here = await ask(client, "reverse_geocode", lat=40.015, lon=-105.27)
    right = here.get("address", {}).get("city") == "Boulder"
    console.print(f"At 40.015, -105.27: {here.get('display_name')} ", checked.that(right, "reverse geocode Boulder"))

    admin = await ask(client, "admin_boundaries", lat=48.8566, lon=2.3522)
    chain = " › ".join(level["name"] for level in admin.get("boundaries", []))
    console.print(f"At 48.857, 2.352: {chain} ", checked.that(admin.get("country_code") == "fr", "hierarchy of Paris"))
    source = box.get("source", {})
    console.print(
        f"[dim]{source.get('data', 'no')} atlas {source.get('data_version', '')}: {box.get('attribution', '')}[/dim]"
    )
    console.print()


def functions_by_python_itself():
    """Definitions in this checkout's Python files, counted by Python's own parser."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py", "*.pyi"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    total = 0
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            tree = ast.parse((ROOT / name).read_bytes())
            total += sum(isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) for n in ast.walk(tree))
    return total


async def code():
    console.print(Rule("code", align="left"))
    async with server("code") as client:
        here = await ask(client, "coderef_scan", project_path=str(ROOT), languages=["python"], limit=1)
        defined = ["function", "method", "constructor", "class"]
        ours = (
            await ask(client, "coderef_scan", project_path=str(ROOT), languages=["python"], types=defined, limit=1)
        )["elements_found"]
        theirs = functions_by_python_itself()
        console.print(
            f"This checkout: {here['index']['files']} files, {here['elements_found']} elements in Python, "
            f"in {here['index']['took_ms'] / 1000:.1f} s."
        )
        console.print(
            f"  functions, methods and classes: {ours}; by Python's own parser: {theirs} ",
            checked.that(ours == theirs, "definitions of this checkout"),
        )
        await ferry(client)


async def ferry(client):
    scan = await ask(client, "coderef_scan", project_path=str(FERRY), limit=200)
    names = {element["name"] for element in scan["elements"]}
    want = {"bookSeat", "Timetable", "parseTime", "useTimetable", "Board", "Deck", "Passenger", "print"}
    console.print(
        f"examples/ferry: {scan['elements_found']} elements in {scan['index']['files']} files ",
        checked.that(want <= names, "elements of the ferry"),
    )
    callers = await ask(
        client, "coderef_query", project_path=str(FERRY), query_type="calls-me", target="parseTime", max_depth=1
    )
    found = {row["from"].partition("#")[2].partition(":")[0] for row in callers["results"]}
    console.print()
    console.print("Who calls parseTime?")
    for row in callers["results"]:
        console.print(f"  {row['from']}  [dim]{row['file']}:{row['line']}, {row['confidence']}[/dim]", highlight=False)
    console.print(" ", checked.that(found == {"Timetable.next", "Timetable.add"}, f"callers of parseTime: {found}"))

    imports = await ask(
        client, "coderef_query", project_path=str(FERRY), query_type="imports", target="src/booking.ts", max_depth=1
    )
    files = sorted(row["to"] for row in imports["results"])
    right = files == ["src/fares.ts", "src/lib/time.ts", "src/timetable.ts"]
    console.print(f"What does src/booking.ts import? {', '.join(files)} ", checked.that(right, f"imports: {files}"))

    symbol = await ask(client, "coderef_symbol", project_path=str(FERRY), element="bookSeat")
    console.print("\nbookSeat, whole:")
    console.print(Syntax(symbol["source"], "typescript", background_color="default"))
    calls = {row["element"].partition("#")[2].partition(":")[0] for row in symbol["callees"]["items"]}
    console.print(
        f"  calls {', '.join(sorted(calls))} ",
        checked.that({"Timetable.next", "formatTime", "fareFor", "SoldOut"} <= calls, f"callees: {calls}"),
    )
    tests = {row["element"].partition("#")[0] for row in symbol["tests"]["items"]}
    console.print(
        f"  tested in {', '.join(sorted(tests))} ", checked.that(tests == {"test/booking.test.ts"}, "its tests")
    )
    console.print()


async def main():
    started = time.perf_counter()
    for part in (places, code):
        try:
            await part()
        except Exception as error:
            checked.that(False, f"{part.__name__}: {reason(error)}")
    console.print(Rule(style="dim"))
    for what in checked.wrong:
        console.print(f"[bold red]✗[/] {what}")
    console.print(
        f"{checked.right} answers right, {len(checked.wrong)} wrong, in {time.perf_counter() - started:.0f} s."
    )
    return 1 if checked.wrong else 0


def reason(error):
    """An error in a line; those of task groups hold others."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
