"""The root commands `bearings` and `coderef`. No wing is loaded here."""

import click

from bearings.cli.envfile import env_file_option
from bearings.cli.lazy import Lazy, LazyGroup, version_option

_HELP = """Bearings in the world and in a codebase: geocoding and code intelligence.

Every command is also a tool of an MCP server (`serve`). Answers are for reading; --json prints the structured reply.
Exit status: 0 answered, 1 not found or failed, 2 bad usage.
"""


def bearings() -> click.Group:
    """The root command."""
    group = LazyGroup(
        "bearings",
        _HELP,
        {
            "places": Lazy("Geocoding: names, points, boxes, boundaries.", _places),
            "code": Lazy("Code intelligence: elements, callers, dependencies.", _code),
            "explore": Lazy("Look at places and code in a browser.", _explore),
            "serve": Lazy("Serve the tools of both to an MCP client.", _serve),
            "install": Lazy("Set up a client: Claude Code, Cursor, VS Code, Codex …", _install),
            "uninstall": Lazy("Take back what install wrote.", _uninstall),
            "hook": Lazy("Answer a client after its grep (install --with-hooks).", _hook),
            "token": Lazy("Make a token for a client over HTTP.", _token),
            "doctor": Lazy("What is set, found and reachable.", _doctor),
            "completion": Lazy("Teach your shell these commands.", _completion),
        },
        examples=(
            'places geocode "Springfield, Illinois"',
            "code query parse_file --type calls-me",
            "serve http",
        ),
        options=(env_file_option(),),
    )
    return _versioned(group, "bearings")


def coderef() -> click.Group:
    """`bearings code` under its own name."""
    from bearings.cli import code

    return _versioned(code.group("coderef"), "coderef (bearings-mcp)")


def _versioned(group: click.Group, banner: str) -> click.Group:
    group.params.append(version_option(banner))
    return group


def _places(_: click.Context) -> click.Command:
    from bearings.cli import places

    return places.group()


def _code(_: click.Context) -> click.Command:
    from bearings.cli import code

    return code.group()


def _explore(_: click.Context) -> click.Command:
    from bearings.cli.explore import explore_command

    return explore_command()


def _serve(_: click.Context) -> click.Command:
    from bearings.cli.serve import BOTH, serve_command

    return serve_command(BOTH)


def _install(_: click.Context) -> click.Command:
    from bearings.cli.clients.command import install_command

    return install_command()


def _uninstall(_: click.Context) -> click.Command:
    from bearings.cli.clients.command import uninstall_command

    return uninstall_command()


def _hook(_: click.Context) -> click.Command:
    from bearings.cli.hook.command import hook_command

    return hook_command()


def _token(_: click.Context) -> click.Command:
    from bearings.cli.token import token_command

    return token_command()


def _doctor(_: click.Context) -> click.Command:
    from bearings.cli.doctor import doctor_command

    return doctor_command()


def _completion(_: click.Context) -> click.Command:
    from bearings.cli.completion import completion_command

    return completion_command()
