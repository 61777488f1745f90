"""`bearings install` and `bearings uninstall`: their questions and output."""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import click

from bearings.cli.answer import ANSWERED, FAILED
from bearings.cli.clients import files
from bearings.cli.clients.catalog import Client, Machine, clients
from bearings.cli.clients.changes import Change, apply_all, install_change, uninstall_change
from bearings.cli.clients.consent import address, ask_for_contact
from bearings.cli.clients.documents import Document, Paragraph, Servers, Skill
from bearings.cli.clients.files import real_path
from bearings.cli.clients.hooks import Hooks, PromptHooks
from bearings.cli.clients.launch import SERVERS, Installation, hook_command, launch_command, typed_command
from bearings.cli.clients.receipts import Receipts
from bearings.cli.lazy import CommandWithExamples
from bearings.cli.outcome import refusing
from bearings.errors import InvalidInput
from bearings.untrusted import escape_line

_INSTALL = """Write both servers into the configuration of CLIENT; the rest of the file stays as it is.

Shows what is written and asks first. The servers start from this installation, wherever the client runs. `uninstall`
takes back what was written.
"""


def install_command() -> click.Command:
    """`bearings install`."""
    return CommandWithExamples(
        "install",
        params=[
            *_common_params(),
            click.Option(
                ["--nominatim-email", "email"],
                metavar="ADDRESS",
                help="Let places ask the public Nominatim, with this address of yours, by its policy.",
            ),
            click.Option(["--no-nominatim"], is_flag=True, help="Don't let places ask it, and don't ask me."),
            click.Option(
                ["--toolsets"],
                type=click.Choice(["core", "edit", "all"]),
                default="core",
                show_default=True,
                help="Tools that the servers offer: core; edit: these, rename, move, remove and tag; all.",
            ),
            click.Option(["--with-skill"], is_flag=True, help="Write a skill too: when to use bearings, when grep."),
            click.Option(
                ["--with-agents-md"], is_flag=True, help="Write the same as a paragraph into the project's AGENTS.md."
            ),
            click.Option(
                ["--with-hooks"],
                is_flag=True,
                help="Let the client run `bearings hook` after its grep and its edits: see docs.",
            ),
            click.Option(
                ["--with-prompt-hook"],
                is_flag=True,
                help="Let it run at each prompt too: the five likeliest places for its words.",
            ),
        ],
        help=_INSTALL,
        callback=_exiting_with_status(_install),
        examples=("claude-code --with-hooks", "cursor --project . --with-skill", "codex --toolsets all --no-nominatim"),
    )


def uninstall_command() -> click.Command:
    """`bearings uninstall`."""
    return CommandWithExamples(
        "uninstall",
        params=_common_params(),
        help="Remove what `bearings install` wrote for CLIENT, and nothing else. Shows it and asks first.",
        callback=_exiting_with_status(_uninstall),
        examples=("claude-code", "cursor --project ."),
    )


def _common_params() -> list[click.Parameter]:
    names = [client.name for client in clients()]
    return [
        click.Argument(["client"], type=click.Choice(names), metavar="CLIENT", help=f"{', '.join(names)}."),
        click.Option(
            ["--project"],
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            metavar="DIRECTORY",
            help="Only in this project, by the file that it shares.  [default: for the user, everywhere]",
        ),
        click.Option(["--yes", "-y"], is_flag=True, help="Don't ask; required without a terminal."),
    ]


def _exiting_with_status(run: Callable[..., int]) -> Callable[..., None]:
    """`run` with its client looked up, its errors printed and its exit status used."""

    def report(client: str, yes: bool, **options: Any) -> None:
        if not yes and not sys.stdin.isatty():
            raise click.UsageError("This asks before it writes, and there is no terminal to ask at: add --yes.")
        status = run(next(known for known in clients() if known.name == client), yes=yes, **options)
        click.get_current_context().exit(status)

    return refusing(report)


@dataclass(frozen=True, slots=True)
class _Place:
    """A file to write, the client's name for it, and its content."""

    path: Path
    document: Document


def _install(
    client: Client,
    *,
    project: Path | None,
    yes: bool,
    email: str | None,
    no_nominatim: bool,
    toolsets: str,
    with_skill: bool,
    with_agents_md: bool,
    with_hooks: bool,
    with_prompt_hook: bool,
) -> int:
    if email is not None and no_nominatim:
        raise InvalidInput("nominatim-email", email, "contradicts --no-nominatim", "Give one of them.")
    contact = "" if no_nominatim else address(email) if email is not None else None
    path = _servers_file(client, project)
    if contact is None and not yes and project is None:
        contact = ask_for_contact(path, Servers(client.format, client.key, {}))
    servers = Servers(client.format, client.key, _entries(client, toolsets), contact)
    places = [_Place(path, servers)]
    if with_skill:
        places.append(_Place(_skill_file(client, project), _skill(project)))
    if with_agents_md:
        places.append(_Place(_agents_file(project), Paragraph(_text("paragraph.md"))))
    if with_hooks or with_prompt_hook:
        command = hook_command(client.name, Installation.here(), os.environ)
        places += [_hooks(client, project, command)] if with_hooks else []
        places += [_hooks(client, project, command, at_prompts=True)] if with_prompt_hook else []
    changes = _changes(install_change, client, places, project)
    status = _apply(places, changes, f"{client.title} has all of it already.", yes=yes, private=project is None)
    if status == ANSWERED and any(change.is_needed for change in changes):
        mentions_program = with_agents_md or (with_skill and project is not None)
        for line in _notes(client, servers, changes[0], project, with_agents_md, mentions_program):
            click.echo(line)
        if toolsets != "all":
            click.echo(f"The servers offer the tools of {toolsets}; --toolsets all offers every tool.")
        if (with_hooks or with_prompt_hook) and client.hooks and client.hooks.note:
            click.echo(client.hooks.note)
    return status


def _uninstall(client: Client, *, project: Path | None, yes: bool) -> int:
    places = [_Place(_servers_file(client, project), Servers(client.format, client.key, {}))]
    if client.user_skills is not None:
        places.append(_Place(_skill_file(client, project), _skill(project)))
    if project is not None:
        places.append(_Place(_agents_file(project), Paragraph(_text("paragraph.md"))))
    if client.hooks is not None:
        places.append(_hooks(client, project, ""))
        places += [_hooks(client, project, "", at_prompts=True)] if client.hooks.prompt else []
    places.reverse()  # the directories were made for the first of them
    changes = _changes(uninstall_change, client, places, project)
    nothing_to_do = f"{client.title} has nothing that install wrote."
    return _apply(places, changes, nothing_to_do, yes=yes, private=project is None)


def _changes(change: Callable[..., Change], client: Client, places: list[_Place], project: Path | None) -> list[Change]:
    """The changes of all files, in order; the second change of a file follows the first."""
    receipts = Receipts.of_user()
    by_path: dict[Path, Change] = {}
    changes = []
    for place in places:
        path = real_path(place.path, project)
        by_path[path] = change(client.name, path, place.document, receipts, by_path.get(path))
        changes.append(by_path[path])
    return changes


def _apply(places: list[_Place], changes: list[Change], nothing_to_do: str, *, yes: bool, private: bool) -> int:
    """Show the changes, ask, apply them; returns the exit status. `nothing_to_do` is printed if none is needed."""
    receipts = Receipts.of_user()
    if not any(change.is_needed for change in changes):
        _update_receipts(places, changes, receipts)
        click.echo(nothing_to_do)
        return ANSWERED
    for place, change in zip(places, changes, strict=True):
        if change.is_needed:
            click.echo(_headline(place.path, change))
            for line in change.diff():
                click.secho(f"  {escape_line(line)}", fg={"+": "green", "-": "red"}.get(line[:1]))
    if not yes and not click.confirm("Write this?", err=True):
        click.echo("Nothing was written.")
        return FAILED
    apply_all([change for change in changes if change.is_needed], receipts, private=private)
    _update_receipts(places, changes, receipts)
    click.echo("Done.")
    return ANSWERED


def _update_receipts(places: list[_Place], changes: list[Change], receipts: Receipts) -> None:
    """Correct the receipts of unchanged files, and print why these stay."""
    for place, change in zip(places, changes, strict=True):
        if not change.is_needed and receipts.get(change.path, change.part) != change.receipt:
            receipts.put(change.path, change.receipt, change.part)
        if change.note:
            click.echo(f"{escape_line(str(place.path))} {change.note}.")


def _headline(path: Path, change: Change) -> str:
    """The file and its change; for a link, its target."""
    effect = "new" if change.before is None else "removed" if change.after is None else "changed"
    target = f" -> {change.path}" if path.is_symlink() else ""
    return f"{escape_line(str(path) + target)} ({effect})"


def _notes(
    client: Client, servers: Servers, change: Change, project: Path | None, with_agents_md: bool, mentions_program: bool
) -> Iterator[str]:
    """Notes for the user afterwards."""
    yield client.after
    if project is not None:
        yield "The file names programs of this machine: others who use the project install it for themselves."
    for twin in servers.duplicates(change.after or ""):
        yield f"{escape_line(twin)}: remove one, or its tools are there twice."
    if with_agents_md and project and client.paragraph and not _includes_agents_md(client, project):
        yield client.paragraph
    program = typed_command(Installation.here(), os.environ) if mentions_program else ""
    if program:
        yield f"The text says `bearings`, which is not on PATH; here it is {escape_line(program)}."


def _includes_agents_md(client: Client, project: Path) -> bool:
    """Whether the client's own file of the project is a link to AGENTS.md, or includes it."""
    own = project / client.includer
    return own.is_file() and (own.samefile(_agents_file(project)) or "@AGENTS.md" in (files.read(own) or ""))


def _entries(client: Client, toolsets: str) -> dict[str, dict[str, Any]]:
    """The entry of each server in the client's format."""
    installation = Installation.here()
    entries: dict[str, dict[str, Any]] = {}
    for server in SERVERS:
        start = launch_command(server, installation, os.environ)
        typed = {"type": "stdio"} if client.typed else {}
        sets = "core,edit" if (toolsets, server) == ("edit", "bearings-code") else "core"
        chosen = [] if toolsets == "all" else ["--toolsets", sets]
        entries[server] = {**typed, "command": start.program, "args": [*start.arguments, *chosen]}
    return entries


def _servers_file(client: Client, project: Path | None) -> Path:
    if project is None:
        return Machine.here().path(client.user)
    if client.project is None:
        raise InvalidInput(
            "project", str(project), f"{client.title} has no settings for projects", "Leave --project out."
        )
    return project / client.project


def _hooks(client: Client, project: Path | None, command: str, *, at_prompts: bool = False) -> _Place:
    point = client.hooks
    if point is None or (at_prompts and not point.prompt):
        option, when = ("with-prompt-hook", "at a prompt") if at_prompts else ("with-hooks", "after its tools")
        problem = f"{client.title} runs nothing {when} that could add to what the model reads"
        raise InvalidInput(option, True, problem, "Leave it out.")
    path = Machine.here().path(point.user) if project is None else project / point.project
    if at_prompts:
        return _Place(path, PromptHooks(client.name, point.at_prompts(), command))
    return _Place(path, Hooks(client.name, point, command))


def _skill_file(client: Client, project: Path | None) -> Path:
    if client.user_skills is None or client.project_skills is None:
        raise InvalidInput("with-skill", True, f"{client.title} reads no skills from files", "Leave it out.")
    folder = Machine.here().path(client.user_skills) if project is None else project / client.project_skills
    return folder / "bearings" / "SKILL.md"


def _agents_file(project: Path | None) -> Path:
    if project is None:
        raise InvalidInput("with-agents-md", True, "AGENTS.md is a project's", "Say which: --project DIRECTORY.")
    return project / "AGENTS.md"


def _skill(project: Path | None) -> Skill:
    """The skill. The user's own has the program's path if a shell would not find it; a project's is shared."""
    program = "" if project else typed_command(Installation.here(), os.environ)
    return Skill(_text("skill.md") + (f"\nOn this machine `bearings` is `{program}`.\n" if program else ""))


def _text(name: str) -> str:
    return resources(__package__).joinpath(name).read_text("utf-8")
