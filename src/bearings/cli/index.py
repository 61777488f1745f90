"""`code index export|import`: the index of a commit as a file, made once and checked where it is used."""

from collections.abc import Callable
from pathlib import Path

import click

from bearings.cli.bar import bar
from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.options import project_option
from bearings.cli.outcome import Outcome, json_command
from bearings.cli.values import absolute
from bearings.cli.wiring import settings_of
from bearings.errors import InvalidInput
from bearings.regular import NoRegularFile, read_regular


def index_group() -> click.Group:
    """The group of commands about portable indexes."""
    entries = {
        "export": Lazy("Write the index of a commit.", lambda _: _export_command()),
        "import": Lazy("Check the index of a commit, and begin with it.", lambda _: _import_command()),
    }
    examples = ("export bearings.index", "import bearings.index")
    return LazyGroup("index", "A project's index as a file: a CI makes it, checkouts begin with it.", entries, examples)


def _command(
    name: str, help_text: str, run: Callable[..., Outcome], option: click.Option, examples: tuple[str, ...]
) -> click.Command:
    file = click.Argument(["file"], type=click.Path(path_type=Path), metavar="FILE", help="The index.")
    return json_command(name, help_text, run, [file, project_option(()), option], examples)


def _export_command() -> click.Command:
    option = click.Option(["--at"], metavar="COMMIT", default="HEAD", show_default=True, help="Commit, branch or tag.")
    help_text = (
        "Write the index of a commit to FILE. Files that differ from the commit on disk play no part. The same commit "
        "gives the same bytes."
    )
    return _command("export", help_text, _export, option, ("bearings.index", "release.index --at v1.2"))


def _import_command() -> click.Command:
    option = click.Option(["--verify"], is_flag=True, help="Compare all files, not a sample: the time of a first scan.")
    help_text = (
        "Check FILE, and store it as the index of its commit, which this repository must have. Questions then begin "
        "with it and read what differs. Facts and uses of at least 40 files, and of one in 50, drawn at random, are "
        "found here again; one difference refuses the whole file."
    )
    return _command("import", help_text, _import, option, ("bearings.index", "bearings.index --verify"))


def _root(project_path: str | None) -> Path:
    """The project's real directory. Raises InvalidInput."""
    from bearings.code.project.roots import ProjectRoots

    return ProjectRoots().open(absolute("project_path", project_path or "."))


def _export(file: Path, project_path: str | None, at: str) -> Outcome:
    from bearings.cli.writing import write_file
    from bearings.code.facts.store import SqliteFacts
    from bearings.code.index.portable.exporting import exported
    from bearings.code.project.git.commit_tree import CommitTree
    from bearings.code.settings import CodeSettings

    settings = settings_of(CodeSettings)
    store = SqliteFacts(settings.cache_path())
    try:
        with bar() as progress:
            made = exported(CommitTree(_root(project_path), None, at), store, settings.max_file_bytes, progress)
    finally:
        store.close()
    write_file(str(file), made.data)
    document = {"file": str(file), "commit": made.commit, "files": made.files, "bytes": len(made.data)}
    return Outcome(f"{file}: commit {made.commit[:12]}, {made.files:,} files, {len(made.data):,} bytes", document)


def _import(file: Path, project_path: str | None, verify: bool) -> Outcome:
    from bearings.code.index.portable.container import Refused
    from bearings.code.index.portable.importing import imported
    from bearings.code.settings import CodeSettings

    settings = settings_of(CodeSettings)
    root, data = _root(project_path), _bytes_of(file)
    try:
        with bar() as progress:
            taken = imported(data, root, settings.cache_path(), settings.max_file_bytes, progress, verify=verify)
    except Refused as refused:
        raise refused.of(str(file)) from None
    document = {
        "file": str(file),
        "commit": taken.commit,
        "files": taken.files,
        "compared": taken.compared,
        "begins": taken.begins,
    }
    what_follows = (
        "Questions begin with it now."
        if taken.begins
        else "The project goes on with the graph that it has, and parses nothing that this one knows."
    )
    compared = "all of them" if taken.compared == taken.files else f"{taken.compared:,} of them"
    text = (
        f"{file}: commit {taken.commit[:12]}, {taken.files:,} files; {compared} were read and resolved here, and are "
        f"alike. {what_follows}"
    )
    return Outcome(text, document)


def _bytes_of(file: Path) -> bytes:
    """Raises InvalidInput if there is no file, or if its size is not possible."""
    from bearings.code.index.portable.container import FIELD, MOST_FILE_BYTES

    try:
        data = read_regular(file, MOST_FILE_BYTES)[0]
    except (FileNotFoundError, NoRegularFile):
        remedy = "Pass a file that bearings code index export wrote."
        raise InvalidInput(FIELD, str(file), "is no file", remedy) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "is no path"
        raise InvalidInput(FIELD, str(file), f"can't be read ({reason})", "Pass a readable file.") from None
    if len(data) > MOST_FILE_BYTES:
        raise InvalidInput(
            FIELD, str(file), "is too large for an index", f"Indexes have up to {MOST_FILE_BYTES:,} bytes."
        )
    return data
