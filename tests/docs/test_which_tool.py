"""The page "which tool for which question" names every tool, marks those outside of `core`, and its commands exist."""

import re
import shlex
from pathlib import Path

import click
import pytest

from bearings.cli.commands import bearings
from bearings.cli.wiring import WIRING, tools_named

PAGE = (Path(__file__).parents[2] / "docs" / "which-tool.md").read_text(encoding="utf-8")
TOOLS = (*WIRING.places().tools, *WIRING.code(None).tools)
COMMANDS = re.findall(r"\| `(bearings [^`]+)` \|", PAGE)


def test_every_tool_has_a_question_and_those_outside_of_the_core_have_a_star():
    core = tools_named(["core"], TOOLS)
    assert core is not None
    for tool in TOOLS:
        stars = set(re.findall(rf"`{tool.name}`(\*?)", PAGE))
        assert stars == ({""} if tool.name in core else {"*"}), tool.name


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_of_the_page_exists(line: str):
    words = shlex.split(line)[1:]
    context = click.Context(bearings(), info_name="bearings", obj=WIRING)
    while isinstance(context.command, click.Group):
        _, command, words = context.command.resolve_command(context, words)
        assert command is not None
        context = click.Context(command, parent=context, info_name=command.name, obj=WIRING)
    context.command.parse_args(context, words)
