"""The skill and the paragraph: short, in the clients' format, and true."""

import re
from importlib.resources import files

import click
import pytest

from bearings.cli.commands import bearings
from bearings.cli.wiring import WIRING

TEXTS = {name: files("bearings.cli.clients").joinpath(name).read_text("utf-8") for name in ("skill.md", "paragraph.md")}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_has_at_most_1500_characters(name: str):
    assert 300 < len(TEXTS[name]) <= 1500


def test_the_skill_s_front_matter_is_that_of_the_standard():
    """https://agentskills.io/specification: the directory's name, and at most 1,024 characters of description."""
    head = re.match(r"---\nname: (\S+)\ndescription: ([^\n:]+)\n---\n", TEXTS["skill.md"])
    assert head is not None
    assert head[1] == "bearings"
    assert len(head[2]) <= 1024


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_and_tool_in_a_text_exists(name: str):
    lines = re.findall(r"`(bearings [^`]+)`", TEXTS[name])
    assert len(lines) >= 4
    for line in lines:
        words = line.split()[1:]
        context = click.Context(bearings(), info_name="bearings", obj=WIRING)
        while isinstance(context.command, click.Group):
            _, command, words = context.command.resolve_command(context, words)
            assert command is not None
            context = click.Context(command, parent=context, info_name=command.name, obj=WIRING)
        context.command.parse_args(context, words)
    tools = {tool.name for tool in WIRING.code(None).tools}
    named = set(re.findall(r"coderef_\w+", TEXTS[name]))
    assert named
    assert named <= tools
    assert lines[0].split()[2] == "explore"
    assert {words.split()[1] for words in lines} == {"code", "places"}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_says_when_grep_is_better(name: str):
    assert re.search(r"grep for strings|strings, messages, options", TEXTS[name], re.IGNORECASE)
