"""Answers as documents: printed, or written to a file as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bearings.cli.answer import write
from bearings.cli.features import FORMATS, document
from bearings.cli.spelling import Spelling
from bearings.errors import InvalidInput, WriteFailed, shown

if TYPE_CHECKING:
    from bearings.reply import Reply

_SUFFIXES = {".geojson": "geojson", ".json": "geojson", ".wkt": "wkt"}


def shape_format(form: str | None, output: str | None) -> str | None:
    """The format of shapes for a command line: of `--format`, or of the file's name (`--output a.wkt`); None for none.

    Raises InvalidInput if the two differ.
    """
    if form in FORMATS or output is None:
        return form if form in FORMATS else None
    format_of_name = _SUFFIXES.get(Path(output).suffix.lower())
    if form is None and format_of_name:
        return format_of_name
    raise InvalidInput("output", output, "needs a format of shapes", "Pass --format geojson or wkt with it.")


def show(reply: Reply, spelling: Spelling, arguments: Mapping[str, Any], form: str, output: str | None) -> None:
    """Print a reply's results as shapes, or write them to `output`. Raises WriteFailed."""
    detail = str(arguments.get("geometry", "none"))
    text = document(reply, reply.structured(), spelling.features or "", detail, form)
    if output is None:
        write(text)
        return
    write_file(output, text.encode())
    click.echo(f"Wrote {output}, {len(text.encode()):,} bytes.")


def write_file(output: str, data: bytes) -> None:
    """Write a file, replacing an existing one at once, and nothing but a file. Raises WriteFailed."""
    from bearings.code.project.whole import write_alone

    try:
        folder = Path(output).expanduser().absolute().parent.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WriteFailed(f"{shown(output)} can't be written ({reason})", "Free the path, or name another.") from error
    write_alone(folder, Path(output).name, data)
