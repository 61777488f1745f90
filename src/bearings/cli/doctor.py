"""`bearings doctor`: settings and findings, without building anything or using the network."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import anyio
import click

from bearings.cli.answer import ANSWERED, FAILED, print_json
from bearings.cli.checks import Check, checks
from bearings.cli.lazy import CommandWithExamples
from bearings.cli.origins import Setting, settings_in_effect
from bearings.cli.wiring import Wiring, pass_wiring, version
from bearings.untrusted import clean_text, escape_line, mapped

_MARKS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red")}


def doctor_command() -> click.Command:
    """The command."""
    return CommandWithExamples(
        "doctor",
        params=[
            click.Argument(["project"], default="", required=False, help="A project whose imports are to be resolved."),
            click.Option(["--json", "as_json"], is_flag=True, help="Print the findings as JSON."),
        ],
        help="Show what is set, found and reachable. Builds nothing, asks no server. With a PROJECT, read it and say "
        "which of its own imports lead to no file. Exit status 1 if something fails.",
        callback=_doctor,
        examples=("", ".", "--json"),
    )


@pass_wiring
def _doctor(wiring: Wiring, project: str, as_json: bool) -> None:
    results = anyio.run(checks, wiring, str(Path(project).absolute()) if project else "")
    settings = settings_in_effect()
    if as_json:
        print_json(mapped(_document(results, settings), lambda text: clean_text(text, len(text))))
    else:
        _print(results, settings)
    click.get_current_context().exit(FAILED if any(check.mark == "fail" for check in results) else ANSWERED)


def _document(results: Sequence[Check], settings: Sequence[Setting]) -> dict[str, Any]:
    return {
        "success": all(check.mark != "fail" for check in results),
        "version": version(),
        "checks": [asdict(check) for check in results],
        "settings": [asdict(setting) for setting in settings],
    }


def _print(results: Sequence[Check], settings: Sequence[Setting]) -> None:
    """A line for each finding, and for each setting its value and origin."""
    width = max(len(check.name) for check in results)
    for check in results:
        mark, colour = _MARKS[check.mark]
        click.echo(f"{click.style(mark, fg=colour)} {check.name:<{width}}  {escape_line(check.detail)}")
        if check.hint:
            click.echo(f"  {'':<{width}}  {click.style(escape_line(check.hint), dim=True)}")
    click.echo()
    width = max(len(setting.variable) for setting in settings)
    for setting in settings:
        changed = setting.origin != "default"
        origin = click.style(f"({setting.origin})", fg="cyan" if changed else None, dim=not changed)
        refused = f"  (not taken from .env: {setting.not_taken})" if setting.not_taken else ""
        click.echo(f"  {setting.variable:<{width}}  {escape_line(setting.value) or '–'}  {origin}{refused}")
