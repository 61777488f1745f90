"""`serve`: one wing or both as an MCP server, over stdio or HTTP: `bearings places serve http --port 8010`."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import click

from bearings.caller import Roots
from bearings.cli.collector import use_default_gc
from bearings.cli.envfile import env_file_option
from bearings.cli.lazy import CommandWithExamples, version_option
from bearings.cli.outcome import refusing
from bearings.cli.wiring import (
    Need,
    Wiring,
    both_spec,
    code_spec,
    pass_wiring,
    path_roots,
    places_spec,
    settings_of,
    tools_named,
)
from bearings.errors import InvalidInput

if TYPE_CHECKING:
    from bearings.serving.app import ServerSpec
    from bearings.settings import ServeSettings

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of server: its `subject` for the help text, its default port, and the wings that it serves.

    `spec` makes the server from the wiring, the roots of code tools, and whether it offers Nominatim's endpoints.
    """

    subject: str
    port: int
    has_code_tools: bool
    has_place_tools: bool
    spec: Callable[[Wiring, Roots, bool], "ServerSpec"]


PLACES = Kind(
    "the places tools", 8010, has_code_tools=False, has_place_tools=True,
    spec=lambda wiring, _, api: places_spec(wiring, api=api),
)  # fmt: skip
CODE = Kind(
    "the code tools", 8011, has_code_tools=True, has_place_tools=False,
    spec=lambda wiring, roots, _: code_spec(wiring, roots),
)  # fmt: skip
BOTH = Kind(
    "the tools of both wings, places and code,", 8010, has_code_tools=True, has_place_tools=True,
    spec=lambda wiring, roots, api: both_spec(wiring, roots, api=api),
)  # fmt: skip


def serve_command(kind: Kind, name: str = "serve") -> click.Command:
    """The command that serves `kind`."""
    command = CommandWithExamples(
        name,
        params=_params(kind),
        help=f"Serve {kind.subject} to an MCP client.\n\nWithout TRANSPORT: stdio if MCP_STDIO is set or stdin is no "
        "terminal, else http. Another address than loopback needs BEARINGS_TOKEN.",
        callback=refusing(pass_wiring(partial(_serve, kind))),
        examples=("stdio", f"http --port {kind.port}"),
    )
    if name != "serve":
        command.params.append(version_option(name))
    return command


serve_places, serve_code, serve_both = (partial(serve_command, kind) for kind in (PLACES, CODE, BOTH))


def _params(kind: Kind) -> list[click.Parameter]:
    params: list[click.Parameter] = [
        click.Argument(
            ["transport"],
            type=click.Choice(["stdio", "http", "sse"]),
            required=False,
            metavar="[TRANSPORT]",
            help="stdio, http (Streamable HTTP at /mcp), or sse (the transport of 2024, deprecated).",
        ),
        click.Option(["--host"], default=LOOPBACK, show_default=True, help="Address to listen on, over HTTP."),
        click.Option(
            ["--port"],
            type=click.IntRange(0, 65535),
            default=kind.port,
            show_default=True,
            metavar="N",
            help="Port to listen on, over HTTP.",
        ),
        click.Option(
            ["--toolsets"],
            multiple=True,
            metavar="A,B…",
            help="Serve only these: core, seed, edit, all, or tools by name.  [default: BEARINGS_TOOLSETS; else all]",
        ),
        click.Option(["--read-only"], is_flag=True, help="Leave out the tools that write."),
        env_file_option(),
    ]
    if kind.has_code_tools:
        text = (
            "A directory that code tools may read; repeatable.  [default: BEARINGS_ROOTS; else any over stdio, the "
            "working directory over HTTP]"
        )
        params.append(click.Option(["--root", "root"], multiple=True, type=click.Path(file_okay=False), help=text))
        allow = "Offer the tools that write over HTTP too; over stdio they always are."
        params.append(click.Option(["--allow-write"], is_flag=True, help=allow))
    text = "Serve pages to look at answers in a browser too, over HTTP: /explore."
    params.append(click.Option(["--explore"], is_flag=True, help=text))
    if kind.has_place_tools:
        text = "Answer as Nominatim does too, over HTTP: /search, /reverse, /lookup, /status."
        params.append(click.Option(["--api"], is_flag=True, help=text))
    return params


def _serve(
    kind: Kind,
    wiring: Wiring,
    *,
    transport: str | None,
    host: str,
    port: int,
    toolsets: tuple[str, ...],
    read_only: bool,
    root: tuple[str, ...] = (),
    allow_write: bool = False,
    api: bool = False,
    explore: bool = False,
) -> None:
    from bearings.serving.transports import serve_stdio
    from bearings.settings import ServeSettings

    settings = settings_of(ServeSettings)
    transport = transport or _default_transport(settings)
    roots = path_roots(root, settings.root_paths(), over_http=transport != "stdio") if kind.has_code_tools else None
    if api and transport == "stdio":
        raise InvalidInput("api", True, "needs HTTP", "Pass http: bearings places serve http --api.")
    if explore and transport == "stdio":
        raise InvalidInput("explore", True, "needs HTTP", "Pass http: bearings serve http --explore.")
    wiring = replace(wiring, need=Need())
    if kind.has_code_tools and transport == "stdio":
        from bearings.cli.command_server import CommandServer

        wiring = replace(wiring, need=Need(served=CommandServer))
    spec = replace(kind.spec(wiring, roots, api), is_explored=explore)
    spec = spec.chosen(toolsets=tools_named(toolsets or (settings.toolsets,), spec.tools), read_only=read_only)
    use_default_gc()
    if transport == "stdio":
        serve_stdio(spec, settings)
    else:
        from bearings.serving.http import serve_http  # the web stack is loaded on demand

        if sys.stderr.isatty():
            path = "sse" if transport == "sse" else "mcp"
            click.echo(f"{spec.title} {spec.version}: http://{host}:{port}/{path}  (Ctrl-C ends it)", err=True)
        serve_http(spec, settings, host, port, sse=transport == "sse", allow_write=allow_write)


def _default_transport(settings: "ServeSettings") -> str:
    """The transport where none is given: stdio for a client, which starts a server with a pipe, else http."""
    return "stdio" if settings.forces_stdio or not sys.stdin.isatty() else "http"
