"""`bearings token`: a new token for an HTTP client, and its entry for the file of tokens."""

import click

from bearings.cli.answer import refuse
from bearings.cli.lazy import SETTINGS, Taught
from bearings.errors import BearingsError


def token_command() -> click.Command:
    """The command."""
    command = Taught(
        "token",
        params=[click.Argument(["name"], help="The client's name in logs and metrics.")],
        help="Make a token for a client over HTTP. The token is printed once, on stderr; its entry for the file that "
        "BEARINGS_TOKENS names is printed on stdout. Nothing is stored.",
        callback=click.pass_context(_token),
        context_settings=SETTINGS,
    )
    command.examples = ("alice", "alice >> tokens.toml")
    return command


def _token(ctx: click.Context, name: str) -> None:
    from bearings.serving.tokens import new_token

    try:
        secret, entry = new_token(name)
    except BearingsError as error:
        ctx.exit(refuse(error, False, lambda error: error.error))
    click.echo(f"token: {secret}\nGive it to {name} now: it can't be shown again.", err=True)
    click.echo(entry)
