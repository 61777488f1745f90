"""`code fleet scan|query|list`: many repositories in one catalogue."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bearings.cli.answer import ANSWERED, FAILED
from bearings.cli.bar import bar
from bearings.cli.fleet_query import query
from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.outcome import Outcome, json_command
from bearings.cli.wiring import settings_of

if TYPE_CHECKING:
    from bearings.code.catalogue.reading import RepositoryState
    from bearings.code.fleet.scan import Summary


def fleet_group() -> click.Group:
    """The group of commands about many repositories."""
    entries = {
        "scan": Lazy("Read the repositories of a list into a catalogue.", lambda _: _scan_command()),
        "query": Lazy("Who uses a package, exports a symbol, has or calls a route.", lambda _: _query_command()),
        "list": Lazy("The repositories, and why some could not be read.", lambda _: _list_command()),
    }
    examples = ("scan repos.txt fleet.db", "query fleet.db --package requests get", "list fleet.db")
    return LazyGroup("fleet", "Many repositories in one catalogue.", entries, examples=examples)


def _catalogue() -> click.Parameter:
    return click.Argument(["out"], type=click.Path(path_type=Path), metavar="OUT", help="The catalogue.")


def _scan_command() -> click.Command:
    params: list[click.Parameter] = [
        click.Argument(
            ["repos"], type=click.Path(path_type=Path), metavar="REPOS.txt",
            help="One repository a line: a path, or an https, ssh or file URL; optionally NAME = before it.",
        ),
        _catalogue(),
        click.Option(["--scheduler"], metavar="ADDRESS", help="Dask: tcp://HOST:PORT, or local.  [default: here]"),
        click.Option(["--workers"], type=click.IntRange(1, 1024), help="With --scheduler local: how many."),
        click.Option(
            ["--timeout"], type=click.FloatRange(1, 86_400), default=600.0, show_default=True, metavar="SECONDS",
            help="What one repository may take.",
        ),
    ]  # fmt: skip
    help_text = (
        "Read what many repositories export and use into one catalogue, a SQLite file. Nothing of theirs runs. A URL "
        "is cloned into a folder beside OUT. Again reads only what changed. Status 1 if any could not be read."
    )
    return json_command(
        "scan", help_text, _scan, params, ("repos.txt fleet.db", "repos.txt fleet.db --scheduler local --workers 2")
    )


def _query_command() -> click.Command:
    params: list[click.Parameter] = [
        _catalogue(),
        click.Argument(["name"], required=False, help="With --package: an element of it, such as Session.get."),
        click.Option(["--package"], help="A package, or a module of it, as imports name it."),
        click.Option(["--export", "exported"], metavar="SYMBOL", help="An exported symbol."),
        click.Option(["--route"], help='"/users/{id}", "GET /users/42", or a URL: who has it, who calls it.'),
        click.Option(["--limit"], type=click.IntRange(1), help="Rows per page; default: all, on a terminal 200."),
        click.Option(["--cursor"], help="next_cursor of the last page."),
    ]
    help_text = "Which repositories use a package, export a symbol, have or call a route, and where."
    examples = ("fleet.db --package requests get", "fleet.db --export parse_config", 'fleet.db --route "/users/{id}"')
    return json_command("query", help_text, query, params, examples)


def _list_command() -> click.Command:
    return json_command(
        "list", "The repositories of a catalogue.", _list, [_catalogue()], ("fleet.db", "fleet.db --json")
    )


def _scan(repos: Path, out: Path, scheduler: str | None, workers: int | None, timeout: float) -> Outcome:
    from bearings import cluster
    from bearings.code.fleet.scan import Options, scan_fleet
    from bearings.code.fleet.sources import read_sources
    from bearings.code.settings import CodeSettings

    settings = settings_of(CodeSettings)
    sources = read_sources(repos)
    options = Options(settings.max_file_bytes, settings.cache_path(), timeout)
    with cluster.workers(scheduler, local=workers) as there, bar() as progress:
        summary = scan_fleet(sources, out, there, options, progress)
    return Outcome(_scan_text(summary, out), _scan_document(summary, out), FAILED if summary.failed else ANSWERED)


def _scan_document(summary: "Summary", out: Path) -> dict[str, Any]:
    return {
        "catalogue": str(out),
        "bytes": out.stat().st_size,
        "scanned": summary.scanned,
        "unchanged": summary.unchanged,
        "failed": summary.failed,
        "removed": summary.removed,
        "seconds": round(summary.seconds, 1),
    }


def _scan_text(summary: "Summary", out: Path) -> str:
    removed = f", {summary.removed} removed" if summary.removed else ""
    head = (
        f"{out}: {len(summary.scanned)} scanned, {len(summary.unchanged)} unchanged, {len(summary.failed)} failed"
        f"{removed}, in {summary.seconds:.1f} s"
    )
    return "\n".join([head, *(f"  {name}: {reason}" for name, reason in summary.failed.items())])


def _list(out: Path) -> Outcome:
    from bearings.code.catalogue.reading import opened

    with opened(out, "out", mends=True) as catalogue:
        states = catalogue.repositories()
    document = {"catalogue": str(out), "repositories": [repository._asdict() for repository in states]}
    failed = sum(repository.state != "scanned" for repository in states)
    head = f"{_number(len(states), 'repository', 'repositories')}, {failed} failed"
    return Outcome("\n".join([head, *map(_state, states)]), document)


def _state(repository: "RepositoryState") -> str:
    from bearings.untrusted import escape_line

    size = f"{_number(repository.files, 'file')}, {_number(repository.elements, 'element')}"
    read = "never read" if repository.scanned is None else size
    parts = [
        read,
        f"commit {repository.commit[:12]}" if repository.commit else "",
        _when(repository.scanned),
        repository.reason,
    ]
    failed = "FAILED " if repository.state != "scanned" else ""
    return escape_line(f"{failed}{repository.name}: {', '.join(filter(None, parts))}")


def _number(count: int, one: str, several: str = "") -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def _when(scanned: float | None) -> str:
    from bearings.code.replies.element import IndexInfo

    return "" if scanned is None else IndexInfo.moment(scanned)[:19].replace("T", " ")
