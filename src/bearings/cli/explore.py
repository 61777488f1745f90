"""`bearings explore`: a map and a graph in the browser, from a server for this machine alone."""

import os
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from bearings.cli.collector import use_default_gc
from bearings.cli.lazy import CommandWithExamples
from bearings.cli.outcome import refusing
from bearings.cli.pages import open_in_browser
from bearings.cli.values import absolute
from bearings.cli.wiring import Need, Wiring, both_spec, pass_wiring, settings_of
from bearings.errors import Unsupported


def explore_command() -> click.Command:
    """The command."""
    return CommandWithExamples(
        "explore",
        params=[
            click.Argument(
                ["path"],
                type=click.Path(file_okay=False, exists=True),
                default=".",
                metavar="[PATH]",
                help="The project's directory; no other can be read.  [default: here]",
            ),
            click.Option(
                ["--port"],
                type=click.IntRange(0, 65535),
                default=0,
                metavar="N",
                help="Port to listen on.  [default: a free one]",
            ),
            click.Option(["--open/--no-open", "is_opened"], default=True, help="Open the page in a browser, or don't."),
        ],
        help="Look at places on a map and at a project as a graph, in a browser.\n\nPrints an address with a secret, "
        "which this machine alone can open, and answers until Ctrl-C. Each answer reads the project as it is now.",
        callback=refusing(_explore),
        examples=("", "~/app --no-open"),
    )


@pass_wiring
def _explore(wiring: Wiring, path: str, port: int, is_opened: bool) -> None:
    from bearings.serving.http import serve_explore
    from bearings.settings import ServeSettings

    project = Path(absolute("path", path))
    need = Need(histories=_readable_git_paths(project))
    # Both wings: the page has a map and a graph.
    spec = both_spec(replace(wiring, need=need), (project,)).chosen(toolsets=None, read_only=True)
    use_default_gc()

    def ready(address: str, one_time_address: str) -> None:
        # A browser's address stands in the list of processes, so the browser gets one that works a single time.
        click.echo(address)
        click.echo("Ctrl-C ends it.", err=True)
        if is_opened:
            threading.Thread(target=_open, args=[one_time_address], daemon=True).start()

    serve_explore(spec, settings_of(ServeSettings), port, ready)


def _readable_git_paths(project: Path) -> tuple[Path, ...]:
    """The folders of the repository around a project, which may be read for its history; none without a repository.

    They are the top of the worktree, and the git directories, which lie elsewhere for a linked worktree. The user named
    the project, so its changes may be shown. A repository that git would not read is left out.
    """
    from bearings.code.project.git.repository import Refused, find

    try:
        repository = find(Path(os.path.realpath(project)))
    except Refused:
        return ()
    return () if repository is None else tuple(dict.fromkeys((repository.top, repository.directory, repository.common)))


def _open(address: str) -> None:
    """Open the page; some browsers keep their caller waiting until they end."""
    with suppress(Unsupported):  # the address is printed
        open_in_browser(address)
