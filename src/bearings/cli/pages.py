"""Answers as pages for a browser: written to a file, or opened at once."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bearings.cli.answer import print_text
from bearings.cli.writing import write_file
from bearings.errors import InvalidInput, Unsupported, WriteFailed

if TYPE_CHECKING:
    from bearings.reply import Reply
    from bearings.tool import Tool

_STDOUT = "-"
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""The variables of which one is set where a browser can be opened, on systems that may have no screen."""


def page_options() -> list[click.Option]:
    """The options of a command whose answers have a view."""
    return [
        click.Option(["--html", "html_path"], metavar="FILE", help="Write the answer there as a page; -: to stdout."),
        click.Option(["--open", "as_open"], is_flag=True, help="Open the answer in a browser."),
    ]


def checked(html: str | None, is_opened: bool, others: Mapping[str, Any]) -> None:
    """Raises InvalidInput if a page is requested beside another form of output, or printed and opened."""
    option = "html" if html else "open"
    for name, value in others.items():
        if value:
            raise InvalidInput(option, html or True, f"can't be combined with {name}", "Ask for one of them.")
    if html == _STDOUT and is_opened:
        raise InvalidInput("open", True, "can't open what is printed", "Name a file, or leave --html out.")


def show_page(tool: Tool, arguments: Mapping[str, Any], reply: Reply, html: str | None, is_opened: bool) -> None:
    """Print or write a reply's page, and open it if asked to. Raises WriteFailed and Unsupported."""
    from bearings.explore.pages import page_of

    assert tool.view is not None
    page = page_of(tool.view, tool.name, _typed(tool, arguments), reply.sent())
    if html == _STDOUT:
        print_text(page)
        return
    if html is not None:
        write_file(html, page.encode())
        click.echo(f"Wrote {html}, {len(page.encode()):,} bytes.")
    if is_opened:
        path = Path(html).expanduser().absolute() if html else _temporary(page)
        click.echo(f"Opening {path}", err=True)
        open_in_browser(path.as_uri())


def _typed(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a command line, which are text, as the JSON values that they mean."""
    values = tool.arguments.model_construct(**tool.parse(arguments)).model_dump(mode="json")
    return {name: values[name] for name in arguments if name in values}


def open_in_browser(address: str) -> None:
    """Open an address in the user's browser. Raises Unsupported where there is none."""
    import webbrowser

    has_screen = sys.platform in ("darwin", "win32") or any(map(os.environ.get, _SCREENS))
    if not has_screen or not webbrowser.open(address):
        remedy = "Open it yourself on a machine with a browser; --html FILE writes an answer as a file to take there."
        raise Unsupported("No browser can be opened here", remedy)


def _temporary(page: str) -> Path:
    """A file of the user's own, which the system removes at some time: a browser reads it after this process."""
    try:
        handle, name = tempfile.mkstemp(prefix="bearings-", suffix=".html")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(page)
    except OSError as error:
        raise WriteFailed(f"no temporary file can be written ({error.strerror})", "Pass --html FILE.") from error
    return Path(name)
