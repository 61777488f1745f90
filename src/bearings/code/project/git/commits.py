"""The repository of a project, and the commits that names mean in it, with errors for the caller."""

import difflib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bearings.caller import Roots
from bearings.code.project.git.object_store import check_objects
from bearings.code.project.git.plumbing import GitFails, GitHangs, objects
from bearings.code.project.git.refs import Unreadable, expression, names
from bearings.code.project.git.repository import Refused, Repository, bare, find
from bearings.errors import InvalidInput, Unsupported
from bearings.untrusted import is_clean, named

TIMEOUT_S = 60.0

_NEAR = 3
_NEAR_ENOUGH = 0.5
_MAX_NAMES = 5_000
"""Names of branches and tags that are compared with one that is not known."""

_LONGEST_NAME = 100
_LONGEST_GIVEN = 300
_OPTION = "-"
"""The start of what programs take for an option. git gives no such name to a branch or tag."""

_ENTRY = re.compile(rb"(\d{6}) (?:blob|commit|tree) ([0-9a-f]{40,64})(?: +(\d+|-|BAD))?\t([^\0]+)\0")
"""An entry in the output of `git ls-tree -r -z`."""

_STEPS = re.compile(r"[\^~].*$", re.DOTALL)


def repository_of(root: Path, roots: Roots) -> Repository:
    """The repository that a project lies in, or the bare one that it is. Raises Unsupported."""
    try:
        repository = find(root, roots) or bare(root, roots)
        if repository is not None:
            check_objects(repository, roots)
    except Refused as refused:
        raise Unsupported(f"the project's history can't be read: {refused.why}", refused.remedy) from None
    if repository is None:
        raise Unsupported("the project is in no git repository", "Its history is needed: run git init and commit.")
    return repository


def commit_named(repository: Repository, name: str, field: str) -> str:
    """The commit that a name means, in full. Raises InvalidInput for the argument `field`, Unsupported."""
    try:
        meant = expression(repository, name) if _may_be_name(name) else None
    except Unreadable as error:
        raise Unsupported(
            f"{field} = {name!r}: {error}", "Pass the commit's own name, as git rev-parse shows it."
        ) from None
    with git_errors(repository):
        asked = [f"{meant}^{{commit}}"] if meant else []
        about = objects(repository, ["cat-file", "--batch-check"], TIMEOUT_S, asked).split() if asked else []
    if len(about) != 3 or about[1] != b"commit":
        raise InvalidInput(field, name, "names no commit", _remedy(repository, name))
    return about[0].decode("ascii")


class TreeEntry(NamedTuple):
    """A file, a link or a submodule of a commit. `size` is `-` for a submodule, BAD if damaged, empty if not asked."""

    mode: str
    object: str
    size: str
    path: str


def folder_in(repository: Repository, commit: str, folder: Path) -> str | None:
    """An expression for the tree of a folder in a commit; None if the commit has no such folder. Raises GitFails."""
    tree = repository.tree_of(commit, folder)
    if tree == commit:
        return tree
    is_line = "\n" not in tree  # git reads one expression a line
    about = objects(repository, ["cat-file", "--batch-check"], TIMEOUT_S, [tree]).split() if is_line else []
    return tree if about[1:2] == [b"tree"] else None


def entries_of(repository: Repository, tree: str, *options: str) -> list[TreeEntry]:
    """The entries below a tree; with the option `-l`, with their sizes. Raises GitFails."""
    output = objects(repository, ["ls-tree", "-r", *options, "-z", tree], TIMEOUT_S)
    entries = _ENTRY.findall(output)
    if len(entries) != output.count(b"\0"):
        raise GitFails("git lists the commit in a form that is not known here")
    return [TreeEntry(*(part.decode("utf-8", "surrogateescape") for part in entry)) for entry in entries]


def _may_be_name(name: str) -> bool:
    return name.isprintable() and not name.startswith(_OPTION) and len(name) <= _LONGEST_GIVEN


def _remedy(repository: Repository, name: str) -> str:
    wanted = _STEPS.sub("", name)[:_LONGEST_NAME]
    known = [one for one in names(repository, _MAX_NAMES) if len(one) <= _LONGEST_NAME and is_clean(one)]
    near = difflib.get_close_matches(wanted, [one for one in known if one != wanted], _NEAR, _NEAR_ENOUGH)
    remedy = "Pass a commit, branch or tag of the project's repository, such as HEAD~1 or main."
    if near:
        remedy = f"Did you mean {' or '.join(named(one) for one in near)}? {remedy}"
    if repository.shallow:
        remedy += " The clone is shallow: git fetch --unshallow brings older commits."
    return remedy


@contextmanager
def git_errors(repository: Repository) -> Iterator[None]:
    """Convert errors of git to errors for the caller."""
    try:
        yield
    except GitHangs:
        raise Unsupported("git did not answer in time", "Ask about a folder of the project.") from None
    except GitFails as error:
        raise Unsupported(f"the project's history can't be read: {error}", _why(repository)) from None


def _why(repository: Repository) -> str:
    if repository.partial:
        return "The clone is partial: git fetch --refetch brings what is absent."
    if repository.shallow:
        return "The clone is shallow: git fetch --unshallow brings what is absent."
    return "Run git status there to see why; git update-index --no-split-index undoes a split index."
