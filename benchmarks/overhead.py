"""A cached geocode through MCP beside an empty tool of the same SDK, over stdio and Streamable HTTP, in one run.

Behind ours is a stand-in for Nominatim on loopback that is asked once; all that is timed is answered from memory. The
empty tool is the SDK's low-level `Server` with one tool that does nothing: once it answers with `{}`, once with the
bytes and the output schema of our answer: the client reads the one and checks it with the other, whoever sends them.
"""

import http.server
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

from benchmarks.measure import ROUNDS, header, progress, table

CALLS = 300
QUERY = {"query": "Seaford"}
ROWS = [
    {
        "osm_type": "relation",
        "osm_id": 42,
        "lat": "51.7800000",
        "lon": "0.9200000",
        "category": "boundary",
        "type": "administrative",
        "place_rank": 16,
        "importance": 0.4,
        "addresstype": "town",
        "name": "Seaford",
        "display_name": "Seaford, Shire, Land",
        "address": {"town": "Seaford", "county": "Shire", "country": "Land", "country_code": "xx"},
        "boundingbox": ["51.7500000", "51.8000000", "0.8900000", "0.9500000"],
    }
]


class StandIn(http.server.BaseHTTPRequestHandler):
    """Answers every question with one town, and counts."""

    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        body = json.dumps(ROWS).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


def main() -> str:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        nominatim = http.server.ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
        threading.Thread(target=nominatim.serve_forever, daemon=True).start()
        stack.callback(nominatim.shutdown)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GEOCODER_")} | {
            "NOMINATIM_BASE_URL": f"http://127.0.0.1:{nominatim.server_port}",
            "GEOCODER_CACHE_DIR": str(folder / "cache"),
            "XDG_STATE_HOME": str(folder / "state"),
        }
        (folder / "empty.json").write_text('{"answer": {}, "schema": null}')
        progress("what ours answers …")
        answer, schema = anyio.run(_first, environment)
        (folder / "same.json").write_text(json.dumps({"answer": answer, "schema": schema}))
        rows = []
        for transport in ("stdio", "HTTP"):
            progress(f"{transport} …")
            rows += anyio.run(_measured, transport, folder, environment)
    size = len(json.dumps(answer).encode())
    about = (
        f"{CALLS} calls a round, one after another; p50. Ours is `geocode`, answered from memory ({size} bytes, as "
        "text and structured). The empty tool answers {}, or with our answer and its output schema, against which the "
        "client checks it. The goal is a ratio of at most 1.5.\n\n"
    )
    columns = ["what", "p50", "÷ empty tool", "÷ empty tool with our answer"]
    return header("Overhead of a cached call", "bearings-mcp", "mcp") + about + table(columns, rows)


async def _first(environment: dict[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    async with Client(_stdio(*_commands(Path(), "stdio")["ours"], environment=environment)) as client:
        reply = await client.call_tool("geocode", QUERY)
        tools = (await client.list_tools()).tools
    assert reply.structured_content is not None
    return reply.structured_content, next(tool.output_schema or {} for tool in tools if tool.name == "geocode")


def _commands(folder: Path, where: str) -> dict[str, list[str]]:
    ours = ["-m", "bearings", "places", "serve", *(["stdio"] if where == "stdio" else ["http", "--port", where])]
    empty = ["-m", "benchmarks.empty_server", where]
    return {"empty": [*empty, str(folder / "empty.json")], "same": [*empty, str(folder / "same.json")], "ours": ours}


def _stdio(*words: str, environment: dict[str, str]) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=list(words), env=environment)


async def _measured(transport: str, folder: Path, environment: dict[str, str]) -> list[list[str]]:
    async with AsyncExitStack() as stack:
        clients = {}
        for name in ("empty", "same", "ours"):
            if transport == "stdio":
                target: Any = _stdio(*_commands(folder, "stdio")[name], environment=environment)
            else:
                target = _http_server(stack, _commands(folder, "PORT")[name], environment)
            clients[name] = await stack.enter_async_context(Client(target))
        tools = {"empty": "empty", "same": "empty", "ours": "geocode"}
        await _call(clients["ours"], "geocode", 1)
        before = StandIn.asked
        taken: dict[str, list[float]] = {name: [] for name in clients}
        for _ in range(ROUNDS):
            for name, client in clients.items():
                taken[name].append(await _call(client, tools[name], CALLS))
        reply = await clients["ours"].call_tool("geocode", QUERY)
        assert reply.structured_content["source"]["cached"], "it was not answered from the cache"
        assert StandIn.asked == before, "the server behind was asked"
    p50 = {name: median(times) for name, times in taken.items()}
    words = {"empty": "empty tool", "same": "empty tool with our answer", "ours": "cached geocode"}
    return [
        [
            f"{transport}: {words[name]}",
            f"{seconds * 1000:.2f} ms",
            f"{seconds / p50['empty']:.2f}",
            f"{seconds / p50['same']:.2f}",
        ]
        for name, seconds in p50.items()
    ]


async def _call(client: Client, tool: str, times: int) -> float:
    """Seconds that one call takes: the median of `times`."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        await client.call_tool(tool, QUERY)
        taken.append(time.perf_counter() - started)
    return median(taken)


def _http_server(stack: AsyncExitStack, words: list[str], environment: dict[str, str]) -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, *(port if word == "PORT" else word for word in words)]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stack.callback(process.wait)
    stack.callback(process.terminate)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", int(port)), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return f"http://127.0.0.1:{port}/mcp"
    raise TimeoutError(f"{command} does not listen")
