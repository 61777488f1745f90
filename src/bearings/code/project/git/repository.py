"""Where the git directory of a project is, and whether it may be read.

It is `.git` in the project or in a folder above it, or the place that a file `.git` names (linked worktrees,
submodules). That place must name the project in turn, or lie inside it: a file can name anybody's repository.
Nothing but `.git` makes a folder a repository of the files in it: one that only looks like a bare repository is none.
Outside of any repository a bare one may be the project, of which commits alone are read.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bearings.caller import Roots
from bearings.code.project.git.config import variables
from bearings.code.project.roots import is_inside
from bearings.code.project.safe_directory import SafeDirectory

_MAX_BYTES = 1_000_000
_KNOWN = frozenset({"objectformat", "partialclone", "worktreeconfig", "noop", "preciousobjects", "relativeworktrees"})
"""Extensions that don't affect the reading of objects, index and refs, except for the object format."""

_HEAD = re.compile(rb"ref:\s*refs/|[0-9a-f]{40}")
_REFTABLE = "refstorage"


class Refused(Exception):
    """A git directory that is not read; `remedy` tells the user what to do."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(why)
        self.why = why
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree and its git directory. `common` is the main one's where the work tree is linked, else the same."""

    top: Path
    directory: Path
    common: Path
    format: str
    """`sha1` or `sha256`."""

    reftable: bool
    """Whether refs are stored as reftables, which are not supported."""

    partial: bool
    """Whether objects may be absent, to be fetched when git asks for them."""

    @property
    def is_bare(self) -> bool:
        """Whether it has no work tree: the project is the git directory itself."""
        return self.directory == self.top

    @property
    def shallow(self) -> bool:
        """Whether old commits are absent."""
        return os.path.lexists(self.common / "shallow")

    def below(self, folder: Path) -> str:
        """The path of a folder in the work tree; empty for the work tree itself."""
        path = folder.relative_to(self.top).as_posix()
        return "" if path == "." else path

    def tree_of(self, commit: str, folder: Path) -> str:
        """An expression for the tree of a folder in a commit, which may lack it."""
        below = self.below(folder)
        return f"{commit}:{below}" if below else commit

    def key_of(self, folder: Path) -> bytes:
        """A hash of the git directory and of a folder's path, the same in all work trees."""
        named = os.fsencode(os.path.realpath(self.common)) + b"\0" + os.fsencode(self.below(folder))
        return hashlib.blake2b(named, digest_size=16).digest()


def find(directory: Path, roots: Roots = None) -> Repository | None:
    """The repository that contains a directory, or None. Raises Refused."""
    for top in (directory, *directory.parents):
        if os.path.lexists(top / ".git"):
            check_inside(top, roots)
            repository = at(top, roots)
            if repository is not None:
                return repository
    return None


def at(top: Path, roots: Roots = None) -> Repository | None:
    """The repository with this work tree, or None. Raises Refused."""
    try:
        directory = _directory(top)
        return _of(top, directory, roots) if directory is not None and _is_whole(directory) else None
    except (OSError, ValueError):  # removed meanwhile, or the path is invalid
        raise Refused("its git directory can't be read", "Run git status there to see why.") from None


def bare(directory: Path, roots: Roots = None) -> Repository | None:
    """The bare repository that a directory is, for reading its commits; or None. Raises Refused."""
    try:
        if os.path.lexists(directory / ".git") or not _is_whole(directory):
            return None
        check_inside(directory, roots)
        return _of(directory, directory, roots)
    except (OSError, ValueError):
        raise Refused("its git directory can't be read", "Run git status there to see why.") from None


def _of(top: Path, directory: Path, roots: Roots) -> Repository:
    """The repository of a whole git directory. Raises Refused, OSError, ValueError."""
    common = _common(directory)
    for place in {directory, common}:
        check_inside(place, roots)
        _check_owner(place, top)
    config = read(common, "config") or b""
    settings = variables(config)
    _check_understood(settings)
    return Repository(
        top=top,
        directory=directory,
        common=common,
        format=settings.get("extensions.objectformat", "sha1").lower(),
        reftable=settings.get(f"extensions.{_REFTABLE}", "files") == "reftable",
        partial="extensions.partialclone" in settings or b"promisor" in config,
    )


def read(directory: Path, path: str, most: int = _MAX_BYTES) -> bytes | None:
    """A file of a git directory, at most `most` bytes; None if none can be read without following a link."""
    try:
        with SafeDirectory(directory) as tree, tree.file(path) as file:
            data = file.read(most + 1)
    except (OSError, ValueError):
        return None
    return data if data is not None and len(data) <= most else None


def _directory(top: Path) -> Path | None:
    """The git directory that `.git` is or names. Raises Refused."""
    entry = top / ".git"
    try:
        kind = os.lstat(entry).st_mode
    except OSError:
        return None
    if stat.S_ISDIR(kind):
        return entry
    if stat.S_ISLNK(kind):
        place = Path(os.path.realpath(entry))
    else:
        pointer = read(top, ".git", 10_000) or b""
        if not pointer.startswith(b"gitdir: "):
            return None
        place = Path(os.path.realpath(top / os.fsdecode(pointer[8:].rstrip(b"\r\n"))))
    if not place.is_dir():
        return None
    if not place.is_relative_to(top) and not any(_is_same(back, top) for back in _named(place)):
        raise Refused(
            ".git names a git directory elsewhere, which doesn't name this folder in turn",
            "Run git worktree repair there, or, for a git directory of its own, "
            "git config core.worktree with the path of this folder.",
        )
    return place


def _named(directory: Path) -> Iterator[Path]:
    """The work trees that a git directory names as its own."""
    if back := read(directory, "gitdir", 10_000):
        yield (directory / os.fsdecode(back.rstrip(b"\r\n"))).parent
    for file in ("config", "config.worktree"):
        if work_tree := variables(read(directory, file) or b"").get("core.worktree"):
            yield directory / work_tree


def _is_same(one: Path, other: Path) -> bool:
    return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))


def _common(directory: Path) -> Path:
    """The git directory with the objects of a linked worktree. Raises Refused."""
    named = read(directory, "commondir", 10_000)
    if named is None:
        return directory
    common = Path(os.path.realpath(directory / os.fsdecode(named.rstrip(b"\r\n"))))
    if directory.parent != common / "worktrees":
        raise Refused("the worktree's git directory lies elsewhere than its main one says", "Run git worktree repair.")
    return common


def _is_whole(directory: Path) -> bool:
    """Whether git would accept it as a git directory."""
    return _HEAD.match(read(directory, "HEAD") or b"") is not None and all(
        (_common_or_self(directory) / name).is_dir() for name in ("objects", "refs")
    )


def _common_or_self(directory: Path) -> Path:
    try:
        return _common(directory)
    except Refused:
        return directory


def check_inside(place: Path, roots: Roots) -> None:
    """Check that `roots` contain a git directory. Raises Refused."""
    if not is_inside(place, roots):
        raise Refused(
            "its git directory lies outside the directories that this server may read",
            "Start the server with --root (or BEARINGS_ROOTS) of the whole repository.",
        )


def _check_owner(place: Path, top: Path) -> None:
    """Refuse a directory of another user, as git does: the owner must be this user, root, or the work tree's owner."""
    if hasattr(os, "geteuid"):
        owner = os.lstat(place).st_uid
        if owner not in (os.geteuid(), 0, os.lstat(top).st_uid):
            raise Refused("its git directory belongs to somebody else", "Read it as the user who owns it.")


def _check_understood(settings: dict[str, str]) -> None:
    version = settings.get("core.repositoryformatversion", "0")
    unknown = [
        name
        for key in settings
        if (name := key.removeprefix("extensions.")) != key and name not in {*_KNOWN, _REFTABLE}
    ]
    form = settings.get("extensions.objectformat", "sha1").lower()
    if version not in ("0", "1") or (unknown and version == "1") or form not in ("sha1", "sha256"):
        feature = f"extension {unknown[0]}" if unknown else f"format {form if version in ('0', '1') else version}"
        raise Refused(f"its git directory has {feature[:60]}, which is not known here", "Upgrade bearings.")
