"""Every tool has a command and every argument an option, so that neither side changes alone."""

from collections.abc import Iterator, Mapping

import click
import pytest

from bearings.cli import code_spellings, place_spellings
from bearings.cli.commands import bearings
from bearings.cli.parameters import LEFT_OUT
from bearings.cli.spelling import Spelling
from bearings.cli.toolcommand import ToolCommand
from bearings.cli.wiring import Wing
from tests.cli.conftest import Invoke
from tests.cli.fixture_cli import FIXTURE

WINGS = [(place_spellings.SPELLINGS, FIXTURE.places()), (code_spellings.SPELLINGS, FIXTURE.code(None))]


def commands(ctx: click.Context) -> Iterator[tuple[str, ...]]:
    """The path of every command."""
    group = ctx.command
    if isinstance(group, click.Group):
        for name in group.list_commands(ctx):
            found = group.get_command(ctx, name)
            assert found is not None
            below = click.Context(found, info_name=name, parent=ctx)
            yield (name,)
            yield from ((name, *rest) for rest in commands(below))


ALL = list(commands(click.Context(bearings(), info_name="bearings", obj=FIXTURE)))


@pytest.mark.parametrize(("spellings", "wing"), WINGS, ids=["places", "code"])
def test_every_tool_has_one_command(spellings: Mapping[str, Spelling], wing: Wing) -> None:
    named = sorted(spelling.tool for spelling in spellings.values() if not spelling.always_sites)
    assert named == sorted(tool.name for tool in wing.tools)


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_argument_has_an_option_and_every_option_help(path: tuple[str, ...]) -> None:
    command = resolved(path)
    if isinstance(command, ToolCommand):
        named = {parameter.name for parameter in command.params}
        fields = set(command.tool.arguments.model_fields) - LEFT_OUT
        short = code_spellings.SPELLINGS.get(path[-1]) if path[0] == "code" else None
        if short is not None and short.options is not None:
            fields &= {*short.options, *short.positional, "project_path"}
        assert fields <= named
    for parameter in command.params:
        assert parameter.help, parameter.name


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_shows_an_example(invoke: Invoke, path: tuple[str, ...]) -> None:
    result = invoke(*path, "--help")
    assert result.exit_code == 0
    assert f"  bearings {' '.join(path)}" in result.stdout.partition("Example")[2]
    assert "Example: {" not in result.stdout


@pytest.mark.parametrize("path", [(), ("places",), ("code",)], ids=" ".join)
def test_a_group_without_a_command_shows_its_help(invoke: Invoke, path: tuple[str, ...]) -> None:
    result = invoke(*path)
    assert result.exit_code == 2
    assert "Commands:" in result.output


def resolved(path: tuple[str, ...]) -> click.Command:
    command: click.Command = bearings()
    ctx = click.Context(command, obj=FIXTURE)
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(ctx, name)
        assert found is not None
        command = found
    return command


def test_every_entry_point_is_there() -> None:
    from importlib.metadata import distribution

    ours = {entry.name: entry.load() for entry in distribution("bearings-mcp").entry_points}
    assert sorted(ours) == ["bearings", "bearings-code", "bearings-mcp", "bearings-places", "coderef"]
    assert all(callable(entry) for entry in ours.values())
