"""Answers as documents: printed, or written to a file as a whole."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bearings.cli.features import FORMATS, document
from bearings.cli.spelling import Spelling
from bearings.errors import InvalidInput, WriteFailed, shown

if TYPE_CHECKING:
    from bearings.reply import Reply

_SUFFIXES = {".geojson": "geojson", ".json": "geojson", ".wkt": "wkt"}


def chosen(form: str | None, output: str | None) -> str | None:
    """The format of shapes for a command line: the given one, or the one of the file's name.

    Raises InvalidInput if the two differ.
    """
    if form in FORMATS or output is None:
        return form if form in FORMATS else None
    by_name = _SUFFIXES.get(Path(output).suffix.lower())
    if form is None and by_name:
        return by_name
    raise InvalidInput("output", output, "needs a format of shapes", "Pass --format geojson or wkt with it.")


def show(reply: Reply, spelling: Spelling, arguments: Mapping[str, Any], form: str, output: str | None) -> None:
    """Print a reply's results as shapes, or write them to `output`. Raises WriteFailed."""
    detail = str(arguments.get("geometry", "none"))
    text = document(reply, reply.structured(), spelling.features or "", detail, form)
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    write_file(output, text.encode())
    click.echo(f"Wrote {output}, {len(text.encode()):,} bytes.")


def write_file(output: str, data: bytes) -> None:
    """Write a file with a new file's permissions, replacing an existing one at once. Raises WriteFailed."""
    path = Path(output).expanduser()
    draft = None
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(draft).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask)
        Path(draft).replace(path)
    except (OSError, RuntimeError) as error:
        if draft is not None:
            with suppress(OSError):
                Path(draft).unlink()
        reason = getattr(error, "strerror", None) or error
        raise WriteFailed(f"{shown(output)} can't be written ({reason})", "Free the path, or name another.") from error
