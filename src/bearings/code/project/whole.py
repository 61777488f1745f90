"""Files that are written together: all or none, whenever the process ends.

    drafts    beside each file; the journal in the user's state folder names each before it exists
    plan      one line of the journal: every file, its draft, and its content before and after, as hashes
    renames   each draft becomes its file; nothing ends them early but the end of the process
    the end   the journal goes

Without a plan in the journal, no file has changed: the next command that writes removes the drafts. With a plan, it
does the renames that are left, if each file still has the content of before or after. A journal never lies among the
files, where a stranger could put one.
"""

import hashlib
import os
import secrets
import stat
import threading
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from io import BufferedWriter, FileIO
from pathlib import Path, PurePosixPath
from types import TracebackType

import msgspec

from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.sources import Stamp, stamp_beneath
from bearings.errors import WriteFailed, shown
from bearings.private import private_folder
from bearings.regular import NoRegularFile

_PATIENCE_S = 10.0
"""How long a command waits for another one that writes below the same folder."""

_CHUNK = 1 << 20
_MOST_NAMED = 20

_CREATED = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)

_writing = threading.Lock()
_stopping = threading.Event()


class Planned(msgspec.Struct, frozen=True):
    """A file, its draft, and the hashes of its content before and after; an empty hash: no file."""

    path: str
    draft: str
    before: str
    after: str


class _Journal(msgspec.Struct):
    """The content of a journal: the command that writes, the drafts that it began, and the plan once all are there."""

    what: str
    drafts: list[str]
    plan: list[Planned]


class Whole:
    """Writes files below `root`, a real path; a context. `what` names the work in messages: "the rename of a".

    First finishes or undoes what another command left. Without `commit`, no file changes and no draft stays. `alone`:
    there is one file, which one rename replaces, so that a journal is not needed where there can't be one. `tree` opens
    `root`. Raises WriteFailed.
    """

    def __init__(self, root: Path, what: str, *, alone: bool = False, tree: SafeDirectory | None = None) -> None:
        self._root = root
        self._what = what
        self._alone = alone
        self._tree = tree or SafeDirectory(root)
        self._contexts = ExitStack()
        self._journal: FileIO | None = None
        self._planned: list[Planned] = []
        self._stamps: dict[str, Stamp | None] = {}
        self._new: set[str] = set()
        """Files that there are to be none of before."""
        self._folders: list[str] = []
        """Folders that were made for them, with a slash at the end."""

    def __enter__(self) -> "Whole":
        with ExitStack() as contexts:
            contexts.enter_context(_writing)
            contexts.enter_context(self._tree)
            try:
                self._begin(contexts)
            except OSError as error:
                if not self._alone:
                    remedy = "Make it writable for you alone, or set XDG_STATE_HOME to a folder that is."
                    raise WriteFailed(f"no journal can be written: {error}", remedy) from error
            self._contexts = contexts.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._contexts:
            _sweep(self._tree, (*self._folders, *(planned.draft for planned in self._planned)))
            if self._journal is not None:
                self._journal.close()
                journal_of(self._root).unlink(missing_ok=True)

    def draft(
        self,
        path: str,
        before: bytes | None,
        after: bytes | None,
        stamp: Stamp | None = None,
        mode: int = 0o666,
        like: str = "",
    ) -> None:
        """Prepare new content for a file that had `stamp` when it was read; None: no file. Keeps the mode and owner.

        A new file, in a folder that may be new, gets those of the file `like`, if it is given. Raises WriteFailed, with
        nothing of this file left.
        """
        if _stopping.is_set():
            raise WriteFailed("the work was stopped", "Ask again.")
        draft = draft_of(path)
        try:
            if before is None:
                self._new.add(path)
                self._make_folders(path)
            self._note(draft)
            self._check(path, stamp)
            old_status = _status(self._tree, like or path)
            if after is not None:
                write_new(self._tree, draft, after, mode, like=old_status)
        except (OSError, ValueError) as error:
            with suppress(OSError, ValueError):
                self._tree.unlink(draft)
            reason = getattr(error, "strerror", None) or error
            raise WriteFailed(
                f"{self._shown(path)} can't be written ({reason})", "Free the path, or name another."
            ) from error
        self._planned.append(Planned(path, draft, _digest(before), _digest(after)))
        self._stamps[path] = stamp

    def commit(self) -> None:
        """Rename all drafts. Raises WriteFailed, with nothing changed, if a file is not as it was read.

        If the system refuses a rename, the rest is left to the next command.
        """
        for planned in self._planned:
            self._check(planned.path, self._stamps[planned.path])
        if len(self._planned) > 1:
            try:
                self._note(self._planned)
            except OSError as error:
                raise WriteFailed(f"the journal can't be written ({error.strerror})", "Free the disk.") from error
        plan, self._planned = self._planned, []
        try:
            _carry_out(self._tree, plan, self._what)
        except WriteFailed:
            self._planned = plan if len(plan) == 1 else []
            journal, self._journal = self._journal, None
            if journal is not None:
                journal.close()
            raise

    def _begin(self, contexts: ExitStack) -> None:
        """Lock the folder for writing, settle what is left, and open the journal."""
        journal = journal_of(self._root)
        private_folder(journal.parent)
        contexts.enter_context(_locked(journal))
        _settle(self._tree, journal)
        self._journal = FileIO(os.open(journal, _CREATED, 0o600), "w")
        self._note(self._what)

    def _note(self, line: object) -> None:
        if self._journal is not None:
            self._journal.write(msgspec.json.encode(line) + b"\n")
            if not isinstance(line, str):
                os.fsync(self._journal.fileno())

    def _make_folders(self, path: str) -> None:
        """Create the folders around a new file that are missing. Raises OSError."""
        for folder in reversed([str(around) for around in PurePosixPath(path).parents[:-1]]):
            if stamp_beneath(self._tree, folder) is None:
                self._note(f"{folder}/")
                self._tree.make_folder(folder)
                self._folders.append(f"{folder}/")

    def _check(self, path: str, stamp: Stamp | None) -> None:
        if path in self._new and stamp_beneath(self._tree, path) is not None:
            raise WriteFailed(f"{self._shown(path)} was made by somebody else meanwhile", "Ask again.")
        if stamp is not None and stamp_beneath(self._tree, path) != stamp:
            raise WriteFailed(f"{self._shown(path)} was changed by somebody else meanwhile", "Ask again.")

    def _shown(self, path: str) -> str:
        """The path in messages: of a file anywhere on the disk, the whole path."""
        return shown(str(self._root / path) if self._root == self._root.parent else path)


def write_alone(root: Path, path: str, data: bytes) -> None:
    """Write one file, with the mode of the file that it replaces. Raises WriteFailed, with nothing changed."""
    with Whole(root, f"the writing of {path}", alone=True) as whole:
        whole.draft(path, b"", data)
        whole.commit()


def unfinished(root: Path) -> str:
    """A sentence on the files that a stopped command left half-written below `root`; usually empty."""
    journal = journal_of(root)
    if not journal.exists():
        return ""
    with suppress(WriteFailed, OSError), _locked(journal, patience_s=0):
        record = _read(journal)
        with SafeDirectory(root) as tree:
            undone = sum(stamp_beneath(tree, planned.draft) is not None for planned in record.plan)
        if record.plan:
            done = f"{len(record.plan) - undone} of {len(record.plan)} files are written"
            return f"{_begun(record)} was stopped: {done}. The next command that writes finishes it."
        return (
            f"{_begun(record)} was stopped before it changed a file. The next command that writes removes its drafts."
        )
    return ""


def settled(root: Path) -> str:
    """Finish or undo what such a command left. Returns what was done, as a sentence; usually nothing.

    Raises WriteFailed, with nothing touched, if that is not possible.
    """
    journal = journal_of(root)
    if not journal.exists():
        return ""
    try:
        with _locked(journal), SafeDirectory(root) as tree:
            return _settle(tree, journal)
    except OSError as error:
        remedy = f"Remove the cause and ask again, or remove {journal} to keep all files as they are."
        raise WriteFailed(f"the writing of a stopped command can't be finished: {error}", remedy) from error


def stop(seconds: float) -> None:
    """End drafts in any thread of this process, and wait for renames that have begun."""
    _stopping.set()
    _writing.acquire(timeout=seconds)


def journal_of(root: Path) -> Path:
    """The journal of a folder."""
    import platformdirs

    name = hashlib.blake2b(os.fsencode(root), digest_size=16).hexdigest()
    return platformdirs.user_state_path("bearings", appauthor=False) / "writes" / f"{name}.journal"


def draft_of(path: str) -> str:
    """The name of a temporary file beside a file, for its new text."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.{name[:100]}.{secrets.token_hex(6)}.tmp"


def write_new(tree: SafeDirectory, path: str, data: bytes, mode: int, *, like: os.stat_result | None = None) -> None:
    """Create a file and flush it to disk, with the mode and, if permitted, the owner of another file."""
    with BufferedWriter(tree.create(path, 0o600 if like else mode)) as file:
        file.write(data)
        file.flush()
        if like is not None and hasattr(os, "fchown"):
            with suppress(OSError):
                os.fchown(file.fileno(), like.st_uid, like.st_gid)
        if like is not None and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
        os.fsync(file.fileno())


def _settle(tree: SafeDirectory, journal: Path) -> str:
    """See `settled`; the folder is locked."""
    try:
        record = _read(journal)
    except FileNotFoundError:
        return ""
    states = [(planned, _state(tree, planned)) for planned in record.plan]
    unexpected = [planned.path for planned, state in states if state is None]
    if unexpected:
        names = ", ".join(map(shown, unexpected[:_MOST_NAMED]))
        raise WriteFailed(
            f"{record.what} was stopped, and {len(unexpected)} of {len(record.plan)} files have changed since: {names}",
            f"Restore these files as they were before it, or remove {journal} to keep all files as they are.",
        )
    remaining = [planned for planned, is_done in states if not is_done]
    _carry_out(tree, remaining, record.what)
    _sweep(tree, record.drafts)
    journal.unlink(missing_ok=True)
    if record.plan:
        return f"{_begun(record)} had been stopped, and was finished first: {len(remaining)} files."
    return f"{_begun(record)} had been stopped before it changed a file; its drafts are gone."


def _carry_out(tree: SafeDirectory, plan: Iterable[Planned], what: str) -> None:
    """Rename drafts, and remove files without new content. Raises WriteFailed; the next command does the rest."""
    try:
        for planned in plan:
            if planned.after:
                tree.replace(planned.draft, planned.path)
            else:
                tree.unlink(planned.path)
    except OSError as error:
        remedy = "Free the path: the next command that writes here finishes the work."
        raise WriteFailed(f"{what} stopped: {error.strerror or error}", remedy) from error


def _sweep(tree: SafeDirectory, drafts: Sequence[str]) -> None:
    """Remove drafts, and folders that were made for them and are empty."""
    for draft in reversed(drafts):
        with suppress(OSError):
            if draft.endswith("/"):
                tree.remove_folder(draft[:-1])
            else:
                tree.unlink(draft)


def _state(tree: SafeDirectory, planned: Planned) -> bool | None:
    """Whether a planned file is written; None if it can't be told, or can't be done."""
    now = _digest_at(tree, planned.path)
    if now == planned.after:
        return True
    can_be_done = not planned.after or _digest_at(tree, planned.draft) == planned.after
    return False if now == planned.before and can_be_done else None


def _read(journal: Path) -> _Journal:
    """The content of a journal, without a last line that was not completed. Raises OSError."""
    descriptor = os.open(journal, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        lines = file.read().split(b"\n")[:-1]
    record = _Journal("A command", [], [])
    with suppress(msgspec.MsgspecError):
        record.what = msgspec.json.decode(lines[0] if lines else b"", type=str)
        for line in lines[1:]:
            if line.startswith(b"["):
                record.plan = msgspec.json.decode(line, type=list[Planned])
            else:
                record.drafts.append(msgspec.json.decode(line, type=str))
    return record


def _status(tree: SafeDirectory, path: str) -> os.stat_result | None:
    """The status of a file; None if there is none. Raises OSError for anything else, a link included."""
    try:
        status = tree.stat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise NoRegularFile("no regular file")
    return status


def _begun(record: _Journal) -> str:
    """The command that wrote, as a sentence begins."""
    return record.what[:1].upper() + record.what[1:]


def _digest(data: bytes | None) -> str:
    return "" if data is None else hashlib.blake2b(data).hexdigest()


def _digest_at(tree: SafeDirectory, path: str) -> str | None:
    """The hash of a file's content; empty if there is no file, None if it can't be read."""
    content = hashlib.blake2b()
    try:
        with tree.file(path) as file:
            while chunk := file.read(_CHUNK):
                content.update(chunk)
    except FileNotFoundError:
        return ""
    except OSError:
        return None
    return content.hexdigest()


def _locked(journal: Path, patience_s: float = _PATIENCE_S) -> ExitStack:
    """A context in which no other command writes below the journal's folder. Raises WriteFailed, OSError."""
    from filelock import FileLock, Timeout

    contexts = ExitStack()
    try:
        contexts.enter_context(FileLock(journal.with_suffix(".lock"), timeout=patience_s, mode=0o600))
    except Timeout:
        raise WriteFailed("another command is writing there", "Wait for its end, then ask again.") from None
    return contexts
