"""`bearings token`: a new token for an HTTP client, and its entry for the file of tokens."""

import click

from bearings.cli.lazy import CommandWithExamples
from bearings.cli.outcome import refusing


def token_command() -> click.Command:
    """The command."""
    return CommandWithExamples(
        "token",
        params=[click.Argument(["name"], help="The client's name in logs and metrics.")],
        help="Make a token for a client over HTTP. The token is printed once, on stderr; its entry for the file that "
        "BEARINGS_TOKENS names is printed on stdout. Nothing is stored.",
        callback=refusing(_token),
        examples=("alice", "alice >> tokens.toml"),
    )


def _token(name: str) -> None:
    from bearings.serving.tokens import new_token

    secret, entry = new_token(name)
    click.echo(f"token: {secret}\nGive it to {name} now: it can't be shown again.", err=True)
    click.echo(entry)
