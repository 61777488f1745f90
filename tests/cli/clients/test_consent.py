"""The question about the public Nominatim, and its valid answers."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from bearings.cli.clients.catalog import Format
from bearings.cli.clients.consent import POLICY, ask_for_contact
from bearings.cli.clients.documents import Servers

SERVERS = Servers(Format.JSON, "mcpServers", {})


def asked(path: Path, typed: str) -> tuple[str, str]:
    """The answer to the typed text, and the screen."""

    @click.command()
    def ask() -> None:
        click.echo(f"answer: {ask_for_contact(path, SERVERS)!r}")

    result = CliRunner().invoke(ask, input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout.rpartition("answer: ")[2].strip(), result.output


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("\n", "''"),
        ("somebody@town.example\n", "'somebody@town.example'"),
        ("nobody\nme@town.example\n", "'me@town.example'"),
    ],
)
def test_an_address_or_nothing_is_an_answer(typed: str, answer: str, tmp_path: Path):
    found, shown = asked(tmp_path / "mcp.json", typed)
    assert found == answer
    assert POLICY in shown


def test_a_user_is_asked_once(tmp_path: Path):
    path = tmp_path / "mcp.json"
    path.write_text('{"mcpServers": {"bearings-places": {"command": "/a/bearings-places"}}}')
    assert asked(path, "") == ("None", "answer: None\n")
