"""History of a tree: the difference between the work tree and a commit. Runs git, but no filter or hook of the tree."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bearings.caller import Roots
from bearings.code.project.git.commits import TIMEOUT_S, commit_named, entries_of, folder_in, git_errors, repository_of
from bearings.code.project.git.comparing import MAX_LOADED, CommitFile, TwoTrees, WorkTree
from bearings.code.project.git.hunks import Hunk, Room, hunks, renamed
from bearings.code.project.git.merge_base import merge_base
from bearings.code.project.git.plumbing import GitFails, objects
from bearings.code.project.git.repository import Repository
from bearings.code.project.git.worktree import LINK, SUBMODULE, Content, filtered, read_index
from bearings.errors import InvalidInput, Unsupported

_RENAMES = "Too many files are new or gone to find all renames: renamed and edited files are listed as new and gone."
_LINES = "Too many lines differ to compare all of them: some files are listed as changed from first to last line."

_BLOB = re.compile(rb"([0-9a-f]+) blob (\d+)")


class FileChange(NamedTuple):
    """A changed file. `old` is empty for an added one, `new` for a removed one; a renamed one has both."""

    old: str
    new: str
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes of the work tree. `before` has the old versions of changed files, without large ones.

    `notes` describe differences from git's comparison.
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

    def commit(self, ref: str, field: str = "base") -> str:
        """The commit that a ref names, in full. Raises InvalidInput, or Unsupported where there is no repository."""
        return commit_named(self._repository, ref, field)

    def changes(self, commit: str, max_bytes: int) -> Comparison:
        """The changes of the work tree since a commit; untracked files are new.

        Old versions above `max_bytes` are not loaded. A different mode or line ending alone is no change.
        """
        if self._repository.is_bare:
            raise Unsupported("the repository is bare and has no files to compare", "Pass head, or a range as base.")
        with git_errors(self._repository):
            return self._compared(commit, max_bytes)

    def files_between(self, one: str, other: str) -> set[str]:
        """The files that differ between two commits, by any of their names. Raises InvalidInput, Unsupported."""
        first, second = self.commit(one), self.commit(other)
        with git_errors(self._repository):
            before, after = self._tree(first), self._tree(second)
        return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}

    @property
    def _repository(self) -> Repository:
        """The repository. Raises Unsupported."""
        if self._found is None:
            self._found = repository_of(self._root, self._roots)
        return self._found

    def _compared(self, commit: str, max_bytes: int) -> Comparison:
        with ThreadPoolExecutor(1) as beside:  # git lists the commit while it lists the index
            listed = beside.submit(self._tree, commit)
            index = read_index(self._repository, self._root, TIMEOUT_S)
            work = WorkTree(self._root, self._repository.format, listed.result(), index, max_bytes)
        differing = work.differing()
        before = self._versions(work.old, differing, max_bytes)
        changed = [path for path in differing if not work.same(path, before.get(path))]
        notes = work.notes(filtered(self._repository, self._root, changed, TIMEOUT_S) if work.has_attributes else set())
        return _comparison(changed, before, work, notes)

    def between(self, base: str, head: str, max_bytes: int) -> Comparison:
        """The changes from one commit, by its full name, to another; as `changes`."""
        with git_errors(self._repository):
            work = TwoTrees(self._tree(base), self._tree(head))
            differing = work.differing()
            before = self._versions(work.old, differing, max_bytes)
            after = self._versions(work.new, differing, max_bytes)
        work.load(differing, after)
        changed = [path for path in differing if not work.same(path, before.get(path))]
        return _comparison(changed, before, work, ())

    def merge_base(self, one: str, other: str) -> str:
        """The best common ancestor of two commits, by their full names. Raises InvalidInput, Unsupported."""
        with git_errors(self._repository):
            base = merge_base(self._repository, one, other)
        if base is None:
            remedy = "Pass two commits with a common history, or A..B for the difference itself."
            raise InvalidInput("base", f"{one[:12]}...{other[:12]}", "has no common ancestor", remedy)
        return base

    def _versions(
        self, file_of: Callable[[str], CommitFile | None], paths: Iterable[str], max_bytes: int
    ) -> dict[str, bytes]:
        """The bytes of files of a commit, without large ones. Raises GitFails."""
        files = {path: file for path in paths if (file := file_of(path)) is not None}
        loaded = self._loaded([file.object for file in files.values()], max_bytes)
        return {path: loaded[file.object] for path, file in files.items() if file.object in loaded}

    def _tree(self, commit: str) -> dict[str, CommitFile]:
        """The files of a commit below the project."""
        tree = folder_in(self._repository, commit, self._root)
        entries = entries_of(self._repository, tree) if tree else ()
        return {entry.path: CommitFile(entry.mode, entry.object) for entry in entries if entry.mode != SUBMODULE}

    def _loaded(self, names: Iterable[str], max_bytes: int) -> dict[str, bytes]:
        """The objects up to a size, within the budget. Raises GitFails if one is absent."""
        wanted = []
        room = MAX_LOADED
        for line in self._run_git(["cat-file", "--batch-check"], sorted(set(names))).splitlines():
            name, size = _blob(line)
            if size <= min(max_bytes, room):
                wanted.append(name)
                room -= size
        output = self._run_git(["cat-file", "--batch"], wanted)
        loaded = {}
        place = 0
        for name in wanted:
            head, _, _ = output[place : place + 200].partition(b"\n")
            _, size = _blob(head)  # it may have gone meanwhile
            place += len(head) + 1
            loaded[name] = output[place : place + size]
            place += size + 1
        return loaded

    def _run_git(self, arguments: Sequence[str], stdin: Sequence[str] | None = None) -> bytes:
        """Git's output about objects. Raises GitHangs, GitFails."""
        if stdin is not None and not stdin:
            return b""
        return objects(self._repository, arguments, TIMEOUT_S, stdin)


def _blob(line: bytes) -> tuple[str, int]:
    """The name and size of a blob in a line of cat-file. Raises GitFails if it is absent."""
    blob = _BLOB.fullmatch(line)
    if blob is None:
        raise GitFails(f"an object is absent ({line.decode('ascii', 'replace')[:80]})")
    return blob[1].decode(), int(blob[2])


def _comparison(
    changed: Sequence[str], before: Mapping[str, bytes], work: WorkTree | TwoTrees, notes: Iterable[str]
) -> Comparison:
    """The changed files as pairs of versions, with their changed lines."""
    pairs, all_renames = _pairs(changed, before, work)
    room = Room()
    file_changes = tuple(
        FileChange(one, other, _hunks(before.get(one), work.now.get(other), room)) for one, other in pairs
    )
    return Comparison(
        file_changes,
        {one: before[one] for one, other in pairs if one in before and not _is_dropped(work.now.get(other))},
        (*notes, *([] if all_renames else [_RENAMES]), *([_LINES] if room.refused else [])),
    )


def _pairs(
    changed: Sequence[str], before: Mapping[str, bytes], work: WorkTree | TwoTrees
) -> tuple[list[tuple[str, str]], bool]:
    """Old and new path of each changed file, and whether all renames were looked for.

    A file that became a link, or was one, is deleted and added.
    """
    both, deleted, added = [], [], []
    for path in changed:
        old, new = work.old(path), work.now.get(path)
        if old and new and (old.mode == LINK) == new.is_link:
            both.append(path)
            continue
        if old:
            deleted.append(path)
        if new:
            added.append(path)
    twice = set(deleted) & set(added)
    renames = renamed(
        {path: before[path] for path in deleted if path in before and path not in twice},
        {path: data for path in added if path not in twice and (data := work.now[path].data)},
    )
    moved = set(renames.old_by_new.values())
    left = [(path, "") for path in deleted if path not in moved]
    arrived = [(renames.old_by_new.get(path, ""), path) for path in added]
    return sorted([*((path, path) for path in both), *left, *arrived], key=lambda pair: pair[1] or pair[0]), renames.all


def _is_dropped(new: Content | None) -> bool:
    """Whether a file was too large to keep."""
    return new is not None and new.data is None


def _hunks(old: bytes | None, new: Content | None, room: Room) -> tuple[Hunk, ...]:
    if old is None or new is None or new.data is None or b"\0" in old:
        return ()
    return hunks(old, new.data, room)
