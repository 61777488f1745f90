"""`bearings hook` as a command with help. Clients' calls bypass it: see main.py."""

import click

from bearings.cli.clients.catalog import clients
from bearings.cli.hook.entry import hook
from bearings.cli.lazy import CommandWithExamples

_HELP = """Add to a client's grep what the stored index knows, and to its edits the callers that no longer fit.

Reads the client's payload from stdin, and writes its answer or nothing. Takes half a second at most, at a prompt two,
and always ends with status 0. `bearings install CLIENT --with-hooks` has it run.
"""


def hook_command() -> click.Command:
    """`bearings hook`."""
    names = [client.name for client in clients() if client.hooks is not None]
    return CommandWithExamples(
        "hook",
        params=[click.Argument(["client"], type=click.Choice(names), metavar="CLIENT", help=f"{', '.join(names)}.")],
        help=_HELP,
        callback=hook,
        examples=("claude-code < payload.json",),
    )
