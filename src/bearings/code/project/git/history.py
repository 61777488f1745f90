"""What git knows of a tree's past: how the work tree differs from a commit. It runs nothing of the tree's."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.beneath import Beneath
from bearings.code.project.git.hunks import Hunk, hunks, lines, renamed
from bearings.code.project.git.plumbing import GitFails, GitHangs, objects
from bearings.code.project.git.refs import Unreadable, expression
from bearings.code.project.git.repository import Refused, Repository, Roots, check_objects, find
from bearings.code.project.git.worktree import LINK, SUBMODULE, Content, Entry, content, filtered, read_index
from bearings.errors import InvalidInput, Unsupported

_TIMEOUT_S = 60.0
_MAX_LOADED = 256 * 1024 * 1024
"""Bytes of old versions that are in memory at once; of what changes beyond that, only the path is told."""

_TREE = re.compile(rb"(\d{6}) (?:blob|commit) ([0-9a-f]{40,64})\t([^\0]+)\0")
_BLOB = re.compile(rb"([0-9a-f]+) blob (\d+)")
_LARGE_FILE = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n"
)
"""A pointer of Git LFS (its docs/spec.md)."""


class FileChange(NamedTuple):
    """A file that differs. `old` is empty for a new one, `new` for one that is gone; both differ for a renamed one."""

    old: str
    new: str
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the work tree differs from a commit. `before` has the old version of each changed file that is not too large.

    `notes` say what could not be compared as git would.
    """

    changes: tuple[FileChange, ...]
    before: Mapping[str, bytes]
    notes: tuple[str, ...] = ()


class History:
    """The commits of the repository that a project lies in; paths are relative to the project."""

    def __init__(self, root: Path, roots: Roots = None) -> None:
        self._root = root
        self._roots = roots
        self._found: Repository | None = None

    def commit(self, ref: str) -> str:
        """The commit that a ref names, in full. Raises InvalidInput, or Unsupported where there is no repository."""
        repository = self._repository
        try:
            meant = expression(repository, ref) if ref.isprintable() else None
        except Unreadable as error:
            raise Unsupported(
                f"base = {ref!r}: {error}", "Pass the commit's own name, as git rev-parse shows it."
            ) from None
        with _told(repository):
            said = self._said(["cat-file", "--batch-check"], [f"{meant}^{{commit}}"]).split() if meant else []
        if len(said) != 3 or said[1] != b"commit":
            remedy = "Pass a commit, branch or tag of the project's repository, such as HEAD~1 or main."
            if repository.shallow:
                remedy += " The clone is shallow: git fetch --unshallow brings older commits."
            raise InvalidInput("base", ref, "names no commit", remedy)
        return said[0].decode("ascii")

    def changes(self, commit: str, max_bytes: int) -> Comparison:
        """How the work tree differs from a commit; files that git doesn't know yet are new.

        Old versions of more than `max_bytes` are not loaded. Modes alone, and ends of lines alone, are no difference.
        """
        with _told(self._repository):
            return self._compared(commit, max_bytes)

    @property
    def _repository(self) -> Repository:
        """The repository. Raises Unsupported."""
        if self._found is None:
            try:
                self._found = find(self._root, self._roots)
                if self._found is not None:
                    check_objects(self._found, self._roots)
            except Refused as refused:
                raise Unsupported(f"the project's history can't be read: {refused.why}", refused.remedy) from None
            if self._found is None:
                raise Unsupported(
                    "the project is in no git repository", "Its history is needed: run git init and commit."
                )
        return self._found

    def _compared(self, commit: str, max_bytes: int) -> Comparison:
        work = _Work(self._repository, self._root, self._tree(commit), max_bytes)
        differing = work.differing()
        old = [entry.object for path in differing if (entry := work.old(path))]
        loaded = self._loaded(old, max_bytes)
        before = {
            path: loaded[entry.object] for path in differing if (entry := work.old(path)) and entry.object in loaded
        }
        changed = [path for path in differing if not work.same(path, before.get(path))]
        notes = work.notes(
            filtered(self._repository, self._root, changed, _TIMEOUT_S) if work.has_attributes else set()
        )
        pairs = _pairs(changed, before, work)
        return Comparison(
            tuple(FileChange(one, other, _hunks(before.get(one), work.now.get(other))) for one, other in pairs),
            {one: before[one] for one, _ in pairs if one in before},
            notes,
        )

    def _tree(self, commit: str) -> dict[str, "_Old"]:
        """The files of a commit below the project."""
        below = self._root.relative_to(self._repository.top).as_posix()
        tree = f"{commit}^{{tree}}" if below == "." else f"{commit}:{below}"
        if "\n" in tree or self._said(["cat-file", "--batch-check"], [tree]).split()[1:2] != [b"tree"]:
            return {}
        said = self._said(["ls-tree", "-r", "-z", tree])
        found = _TREE.findall(said)
        if len(found) != said.count(b"\0"):
            raise GitFails("git lists the commit in a form that is not known here")
        files = ((mode.decode(), name.decode(), path.decode("utf-8", "surrogateescape")) for mode, name, path in found)
        return {path: _Old(mode, name) for mode, name, path in files if mode != SUBMODULE}

    def _loaded(self, names: Iterable[str], max_bytes: int) -> dict[str, bytes]:
        """The objects that are not too large, as far as there is room. Raises GitFails where one is absent."""
        wanted = []
        room = _MAX_LOADED
        for line in self._said(["cat-file", "--batch-check"], sorted(set(names))).splitlines():
            told = _BLOB.fullmatch(line)
            if told is None:
                raise GitFails(f"an object is absent ({line.decode('ascii', 'replace')[:80]})")
            if int(told[2]) <= min(max_bytes, room):
                wanted.append(told[1].decode())
                room -= int(told[2])
        said = self._said(["cat-file", "--batch"], wanted)
        found = {}
        place = 0
        for name in wanted:
            head, _, _ = said[place : place + 200].partition(b"\n")
            size = int(head.split(b" ")[2])
            place += len(head) + 1
            found[name] = said[place : place + size]
            place += size + 1
        return found

    def _said(self, arguments: Sequence[str], stdin: Sequence[str] | None = None) -> bytes:
        """What git says of objects. Raises GitHangs, GitFails."""
        if stdin is not None and not stdin:
            return b""
        return objects(self._repository, arguments, _TIMEOUT_S, stdin)


class _Old(NamedTuple):
    """A file of a commit."""

    mode: str
    object: str


class _Work:
    """The work tree beside a commit's files."""

    def __init__(self, repository: Repository, root: Path, before: dict[str, _Old], max_bytes: int) -> None:
        self.now: dict[str, Content] = {}
        self._before = before
        self._repository = repository
        self._root = root
        self._prefix = f"{root}/"
        self._max_bytes = max_bytes
        self._absent: list[str] = []
        self._closed: list[str] = []
        self._index = read_index(repository, root, _TIMEOUT_S)

    def old(self, path: str) -> _Old | None:
        """A file as the commit has it; None for one that it has not."""
        return self._before.get(path)

    @property
    def has_attributes(self) -> bool:
        """Whether anything can give a file a filter."""
        return any(path.rpartition("/")[2] == ".gitattributes" for path in (*self._index.tracked, *self._index.new))

    def differing(self) -> list[str]:
        """The paths of files whose bytes are not the commit's, sorted; what they hold is in `now`."""
        found = set()
        present: set[str] = set()
        with Beneath(self._root) as tree:
            for path, entry in self._index.tracked.items():
                if entry.mode != SUBMODULE and self._is_other(tree, path, entry, present):
                    found.add(path)
            for path in self._index.new:
                if not path.endswith("/") and self._is_other(tree, path, None, present):
                    found.add(path)
        found |= self._before.keys() - present - set(self._absent)
        return sorted(found)

    def _is_other(self, tree: Beneath, path: str, entry: Entry | None, present: set[str]) -> bool:
        """Whether a file of the index, or a new one, holds something else than the commit has."""
        old = self._before.get(path)
        try:
            if entry and old and entry.object == old.object and self._index.is_clean(entry, self._prefix + path):
                present.add(path)
                return False
            found = content(tree, path, self._repository.format, self._max_bytes)
        except OSError:
            self._closed.append(path)
            present.add(path)
            return False
        if found is None:
            if entry and entry.skipped:
                self._absent.append(path)
            return False
        present.add(path)
        if old and found.object == old.object and found.is_link == (old.mode == LINK):
            return False
        self.now[path] = found
        return True

    def same(self, path: str, before: bytes | None) -> bool:
        """Whether a file that differs in its bytes is the same all the same: other ends of lines, or a large file."""
        found, old = self.now.get(path), self.old(path)
        if found is None or old is None or before is None or found.is_link or old.mode == LINK:
            return False
        pointer = _LARGE_FILE.fullmatch(before)
        if pointer:
            return pointer[1].decode() == found.sha256 and int(pointer[2]) == found.size
        return found.data is not None and b"\0" not in before and lines(found.data) == lines(before)

    def notes(self, unrun: set[str]) -> tuple[str, ...]:
        """What could not be compared as git would."""
        said = []
        if unrun:
            said.append(f"A filter was not run, so its files are compared as they stand: {_some(unrun)}.")
        if self._absent:
            said.append(f"{len(self._absent)} files are not checked out (sparse checkout) and were not compared.")
        if self._closed:
            said.append(f"These files can't be read and were not compared: {_some(self._closed)}.")
        return tuple(said)


def _pairs(changed: Sequence[str], before: Mapping[str, bytes], work: _Work) -> list[tuple[str, str]]:
    """Old and new path of each changed file. A file that became a link, or was one, went and came."""
    both, gone, come = [], [], []
    for path in changed:
        old, new = work.old(path), work.now.get(path)
        if old and new and (old.mode == LINK) == new.is_link:
            both.append(path)
            continue
        if old:
            gone.append(path)
        if new:
            come.append(path)
    moved = renamed(
        {path: before[path] for path in gone if path in before and path not in come},
        {path: data for path in come if path not in gone and (data := work.now[path].data)},
    )
    left = [(path, "") for path in gone if path not in moved.values()]
    arrived = [(moved.get(path, ""), path) for path in come]
    return sorted([*((path, path) for path in both), *left, *arrived], key=lambda pair: pair[1] or pair[0])


def _hunks(old: bytes | None, new: Content | None) -> tuple[Hunk, ...]:
    if old is None or new is None or new.data is None or b"\0" in old:
        return ()
    return hunks(old, new.data)


@contextmanager
def _told(repository: Repository) -> Iterator[None]:
    """Turns what goes wrong with git into an error for the caller."""
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


def _some(paths: Iterable[str]) -> str:
    ordered = sorted(paths)
    return ", ".join(ordered[:5]) + (f" and {len(ordered) - 5} more" if len(ordered) > 5 else "")
