"""The root commands `bearings` and `coderef`. No wing is loaded here."""

import click

from bearings.cli.envfile import env_file_option
from bearings.cli.first_words import RootGroup
from bearings.cli.lazy import Lazy, version_option

_HELP = """Bearings in the world and in a codebase: geocoding and code intelligence.

Every command is also a tool of an MCP server (`serve`). Answers are for reading; --json prints the structured reply.
Exit status: 0 answered, 1 not found or failed, 2 bad usage.
"""


def bearings() -> click.Group:
    """The root command."""
    return RootGroup(
        "bearings",
        _HELP,
        {
            "places": Lazy("Geocoding: names, points, boxes, boundaries.", "places:group"),
            "code": Lazy("Code intelligence: elements, callers, dependencies.", "code:group"),
            "explore": Lazy("Look at places and code in a browser.", "explore:explore_command"),
            "serve": Lazy("Serve the tools of both to an MCP client.", "serve:serve_both"),
            "install": Lazy(
                "Set up a client: Claude Code, Cursor, VS Code, Codex …", "clients.command:install_command"
            ),
            "uninstall": Lazy("Take back what install wrote.", "clients.command:uninstall_command"),
            "hook": Lazy("Answer a client after its grep (install --with-hooks).", "hook.command:hook_command"),
            "token": Lazy("Make a token for a client over HTTP.", "token:token_command"),
            "doctor": Lazy("What is set, found and reachable.", "doctor:doctor_command"),
            "completion": Lazy("Teach your shell these commands.", "completion:completion_command"),
        },
        examples=(
            'places geocode "Springfield, Illinois"',
            "code query parse_file --type calls-me",
            "serve http",
        ),
        options=(env_file_option(), version_option("bearings")),
        asks={"For a place": "bearings places geocode", "About code": "bearings code explore"},
    )


def coderef() -> click.Group:
    """`bearings code` under its own name."""
    from bearings.cli import code

    group = code.group("coderef")
    group.params.append(version_option("coderef (bearings-mcp)"))
    return group
