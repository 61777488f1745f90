"""Write docs/reference.md from the program: every tool, command, option and variable (`make docs`)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from bearings.cli.commands import bearings
from bearings.cli.envfile import settings_classes
from bearings.cli.wiring import WIRING
from bearings.tool import Tool

PATH = Path(__file__).parents[2] / "docs" / "reference.md"

HEAD = """# Reference

Every tool, command, option and variable, as the program itself tells them. Written by `make docs`.
"""


def text() -> str:
    """The whole page."""
    parts = [
        HEAD,
        "## Tools\n",
        *map(tool_part, tools()),
        "## Commands\n",
        *command_parts(),
        "## Variables\n",
        variables(),
    ]
    return "\n".join(parts)


def tools() -> list[Tool]:
    """The tools of both wings."""
    return [*WIRING.places().tools, *WIRING.code(None).tools]


def tool_part(tool: Tool) -> str:
    """A tool: its description, its effects, its parameters."""
    effects = tool.effects
    notes = [
        "read-only" if effects.read_only else "writes",
        "idempotent" if effects.idempotent else "not idempotent",
        "may leave the machine" if effects.open_world else "stays on the machine",
    ]
    rows = [
        f"| `{name}` | {kind_of(schema)} | {default_of(tool, name)} | {cell(schema.get('description', ''))} |"
        for name, schema in tool.input_schema["properties"].items()
    ]
    head = "| parameter | type | default | |\n| --- | --- | --- | --- |"
    return (
        f"### `{tool.name}`\n\n{tool.description}\n\n{tool.title}; {', '.join(notes)}.\n\n{head}\n"
        + "\n".join(rows)
        + "\n"
    )


def kind_of(schema: dict[str, Any]) -> str:
    """A schema in a few words: its type, values and bounds."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(kind_of(part) for part in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"array of {kind_of(schema.get('items', {}))}"
    low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum")
    bounds = f" {low}–{high}" if low is not None and high is not None else f" from {low}" if low is not None else ""
    return f"{schema.get('type', 'any')}{bounds}"


def default_of(tool: Tool, name: str) -> str:
    """A parameter's default, or that it has none."""
    field = tool.arguments.model_fields[name]
    if field.is_required():
        return "required"
    return "–" if field.default is None else f"`{field.default}`"


def command_parts() -> Iterator[str]:
    """Every command with its arguments and options."""
    root = bearings()
    for path, command in walk(root, click.Context(root, info_name="bearings", obj=WIRING)):
        usage = " ".join(command.collect_usage_pieces(click.Context(command, info_name=path)))
        rows = [f"| {spelled} | {cell(described)} |" for spelled, described in parameters(command)]
        help_text = re.sub(r"\s+", " ", (command.help or "").partition("\f")[0]).strip()
        yield f"### `{path}`\n\n`{path} {usage}`\n\n{help_text}\n"
        if rows:
            yield "| | |\n| --- | --- |\n" + "\n".join(rows) + "\n"


def walk(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Commands with their paths, groups before their members."""
    yield context.command_path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            member = command.get_command(context, name)
            assert member is not None
            yield from walk(member, click.Context(member, parent=context, info_name=name, obj=WIRING))


def parameters(command: click.Command) -> Iterator[tuple[str, str]]:
    """Arguments and options with their help."""
    context = click.Context(command)
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Option):
            record = parameter.get_help_record(context)
            if record:
                yield f"`{record[0]}`", record[1]
        else:
            yield f"`{parameter.make_metavar(context)}`", getattr(parameter, "help", None) or ""


def variables() -> str:
    """Every variable of every settings class."""
    rows = [
        f"| `{kind.variable(name)}` | {cell(field.description or '')} |"
        for kind in settings_classes()
        for name, field in kind.model_fields.items()
    ]
    return "| | |\n| --- | --- |\n" + "\n".join(rows) + "\n"


def cell(words: str) -> str:
    """Text for a table's cell, with ~ for the user's home."""
    return re.sub(r"\s+", " ", words).replace("|", "\\|").replace(str(Path.home()), "~")


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
