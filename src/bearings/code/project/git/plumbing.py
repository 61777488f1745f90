"""The three git commands that run no programs, in an environment without configuration."""

import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple

from bearings import child
from bearings.child import POSIX
from bearings.code.project.git.config import variables
from bearings.code.project.git.repository import Repository, read
from bearings.code.project.safe_directory import SafeDirectory
from bearings.programs import find_program, search_path
from bearings.regular import read_regular

EMPTY = Path(__file__).parent / "empty"
"""Empty git directories, one for each object format."""

_CAUTION = (
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.untrackedCache=false",
    "-c", f"core.ignoreCase={str(sys.platform in ('darwin', 'win32')).lower()}",
    "-c", f"core.precomposeUnicode={str(sys.platform == 'darwin').lower()}",
    "-c", "core.longPaths=true",
    "-c", "protocol.allow=never",
)  # fmt: skip
"""Settings that override configuration. core.precomposeUnicode is for macOS, core.longPaths for Windows."""

_PASSED_ON = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DEVELOPER_DIR", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")
"""Environment variables that git needs to start."""

_PLAIN_INDEX = b"DIRC\0\0\0\2"
"""How an index without flags for sparse checkouts begins (gitformat-index)."""

_MAX_OUTPUT = 256 * 1024 * 1024
_MAX_ENTRIES = 1_000_000
"""The most files that git may list; each takes up to 700 bytes. The largest public repositories have half as many."""

_LOOK_S = 2.0
"""If git sleeps at two looks, and has not woken in between, it waits for the writer of a FIFO, and is stopped."""

_MAX_ERRORS = 1024 * 1024
_MAX_RULES = 1024 * 1024
_MAX_INDEX = 1024 * 1024 * 1024
_MAX_MEMORY = 2 * 1024 * 1024 * 1024
PIECE = 1 << 20


class GitHangs(Exception):
    """git did not answer in time, and was stopped."""


class GitFails(Exception):
    """git is missing, can't read the repository, or its output is too large."""


class Output(NamedTuple):
    """The output of a command."""

    out: bytes
    err: bytes


def nothing() -> None:
    """The default for `meanwhile`: do nothing."""


def ls_files(
    repository: Repository,
    directory: Path,
    arguments: Sequence[str],
    timeout_s: float,
    meanwhile: Callable[[], object] = nothing,
    *,
    with_objects: bool = True,
) -> Output:
    """The output of `git ls-files` in `directory`, with the rules of `.gitignore`, `info/exclude` and the user's file.

    `with_objects`: whether git may read objects, which the caller has checked. Raises GitHangs, GitFails.
    """
    with ExitStack() as open_files:
        index, descriptors = _index(repository, open_files)
        rules = ["--exclude-per-directory=.gitignore"]
        for text in (_own_rules(), read(repository.common, "info/exclude")):
            if text:
                file = _file_of(text, open_files)
                rules.append(f"--exclude-from={_path_of(file)}")
                descriptors.append(file.fileno())
        env = {"GIT_INDEX_FILE": index, "GIT_WORK_TREE": str(repository.top)}
        if not with_objects:
            env["GIT_OBJECT_DIRECTORY"] = str(EMPTY / repository.format / "refs")  # a folder that has no objects
        command = ["ls-files", *rules, *arguments]
        return _run(repository, command, env, directory, timeout_s, descriptors, meanwhile=meanwhile)


def objects(
    repository: Repository, arguments: Sequence[str], timeout_s: float, lines: Iterable[str] | None = None
) -> bytes:
    """The output of `git ls-tree` or `git cat-file`; `lines` are its input. Raises GitHangs, GitFails."""
    with ExitStack() as open_files:
        text = None
        if lines is not None:
            text = _file_of(os.fsencode("".join(f"{line}\n" for line in lines)), open_files)
        return _run(repository, arguments, {}, EMPTY, timeout_s, stdin=text).out


def _run(
    repository: Repository,
    arguments: Sequence[str],
    env: dict[str, str],
    directory: Path,
    timeout_s: float,
    descriptors: Sequence[int] = (),
    *,
    stdin: BinaryIO | IO[bytes] | None = None,
    meanwhile: Callable[[], object] = nothing,
) -> Output:
    process = _started(
        repository, arguments, env, directory, descriptors, stdin=stdin or subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    output = _output(process, timeout_s, meanwhile, ends_with_nul="-z" in arguments)
    if process.returncode != 0:
        raise GitFails("git can't read the repository")
    return output


def start(repository: Repository, arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start a `git cat-file` that reads its input until that ends; its messages are dropped. Raises GitFails."""
    process = _started(repository, arguments, {}, EMPTY, (), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    limit_memory(process.pid)
    return process


def _started(
    repository: Repository,
    arguments: Sequence[str],
    env: dict[str, str],
    directory: Path,
    descriptors: Sequence[int],
    *,
    stdin: BinaryIO | IO[bytes] | int,
    stderr: int,
) -> "subprocess.Popen[bytes]":
    git = find_program("git", repository.top)
    if git is None:
        is_inside = find_program("git", None) is not None
        raise GitFails("git lies inside the project, and is not run" if is_inside else "git is not installed")
    try:
        return subprocess.Popen(  # noqa: S603 - a list, with nothing of the project's but names of objects
            [git, *_CAUTION, *arguments],
            cwd=directory,
            env={**_environment(repository), **env},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            pass_fds=descriptors if POSIX else (),
        )
    except (OSError, ValueError) as error:
        raise GitFails(f"git can't be started: {error}") from None


def _output(
    process: "subprocess.Popen[bytes]", timeout_s: float, meanwhile: Callable[[], object], *, ends_with_nul: bool
) -> Output:
    """The output of a command. The command is stopped when it exceeds its time or the size of its output.

    Processes that the command leaves behind are not waited for. `ends_with_nul`: each entry ends with NUL.
    """
    deadline = time.monotonic() + timeout_s
    try:
        limit_memory(process.pid)
        meanwhile()
        output = _read(process, deadline, ends_with_nul) if POSIX else Output(*process.communicate(timeout=timeout_s))
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise GitHangs from None
    finally:
        if process.returncode is None:
            process.kill()
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
    return output


def _read(process: "subprocess.Popen[bytes]", deadline: float, ends_with_nul: bool) -> Output:
    """The output of a command until it closes its pipe. Raises TimeoutExpired, and GitFails for too much output."""
    out: list[bytes] = []
    err: list[bytes] = []
    size = errors = entries = 0
    for descriptor, piece in _pieces(process, deadline):
        if process.stderr is not None and descriptor == process.stderr.fileno():
            err.append(piece)
            errors += len(piece)
        else:
            out.append(piece)
            size += len(piece)
            entries += piece.count(b"\0") if ends_with_nul else 0
        if size > _MAX_OUTPUT or errors > _MAX_ERRORS or entries > _MAX_ENTRIES:
            raise GitFails("git says more than there is room for")
    return Output(b"".join(out), b"".join(err))


def _pieces(process: "subprocess.Popen[bytes]", deadline: float) -> Iterator[tuple[int, bytes]]:
    """The descriptor and the bytes of each read, until the command closes its pipes. Raises TimeoutExpired."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = process.stdout.fileno(), process.stderr.fileno()
    waits: bytes | None = None
    os.set_blocking(err, False)
    with selectors.DefaultSelector() as selector:
        selector.register(out, selectors.EVENT_READ)
        selector.register(err, selectors.EVENT_READ)
        while out in selector.get_map():
            ready = selector.select(max(0.0, min(_LOOK_S, deadline - time.monotonic())))
            if not ready:
                waits, before = _waits_of(process.pid), waits
                if time.monotonic() >= deadline or (waits is not None and waits == before):
                    raise subprocess.TimeoutExpired(process.args, deadline)
            for key, _ in ready:
                if piece := os.read(key.fd, PIECE):
                    yield key.fd, piece
                else:
                    selector.unregister(key.fd)
    with suppress(BlockingIOError):
        while piece := os.read(err, PIECE):
            yield err, piece


def _waits_of(pid: int) -> bytes | None:
    """How often a sleeping process has begun to wait; None if it does not sleep, or where Linux does not say."""
    with suppress(OSError, IndexError):
        status = Path(f"/proc/{pid}/status").read_bytes()
        return status.split(b"\nvoluntary_ctxt_switches:")[1].split()[0] if b"\nState:\tS" in status else None
    return None


def limit_memory(pid: int) -> None:
    """Limit the memory that a hostile object can make git allocate."""
    child.limit_memory(pid, _MAX_MEMORY)


def environment(passed_on: Iterable[str], project: Path | None) -> dict[str, str]:
    """Git's environment without anybody's configuration; programs are found outside the project."""
    return {
        **{name: os.environ[name] for name in (*_PASSED_ON, *passed_on) if name in os.environ},
        "PATH": search_path(project),
        "LC_ALL": "C",
        "HOME": str(EMPTY),
        "XDG_CONFIG_HOME": str(EMPTY),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _environment(repository: Repository) -> dict[str, str]:
    """Git's environment: an empty git directory with the repository's objects."""
    return {
        **environment((), repository.top),
        "GIT_DIR": str(EMPTY / repository.format),
        "GIT_OBJECT_DIRECTORY": str(repository.common / "objects"),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOW_PROTOCOL": "none",
    }


def is_extended(repository: Repository) -> bool:
    """Whether an index has another version than 2, as a sparse one has, whose folders git reads from objects."""
    with suppress(OSError), SafeDirectory(repository.directory) as tree, tree.file("index") as file:
        return file.read(len(_PLAIN_INDEX)) not in (_PLAIN_INDEX, b"")
    return False


def _index(repository: Repository, open_files: ExitStack) -> tuple[str, list[int]]:
    """The path by which git opens the index, and the descriptors that it needs."""
    nowhere = str(EMPTY / "index")
    try:
        tree = open_files.enter_context(SafeDirectory(repository.directory))
        file = open_files.enter_context(tree.file("index"))
    except FileNotFoundError:
        return nowhere, []
    except OSError:
        raise GitFails("the index can't be read") from None
    if os.fstat(file.fileno()).st_size > _MAX_INDEX:
        raise GitFails("the index is too large")
    return (_path_of(file), [file.fileno()]) if POSIX else (str(repository.directory / "index"), [])


def _own_rules() -> bytes | None:
    """The user's own ignore rules: `core.excludesFile` of their configuration, or git's default place."""
    home = os.path.expanduser("~")  # noqa: PTH111 - raises nothing for a user without one
    base = os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    place = f"{base}/git/ignore"
    for file in (f"{base}/git/config", f"{home}/.gitconfig"):
        with suppress(OSError, ValueError):
            place = os.path.expanduser(variables(read_regular(file, _MAX_RULES)[0]).get("core.excludesfile", place))  # noqa: PTH111
    with suppress(OSError, ValueError):
        return read_regular(place, _MAX_RULES)[0]
    return None


def _file_of(data: bytes, open_files: ExitStack) -> IO[bytes]:
    """A temporary file with `data`, positioned at its start."""
    if POSIX:
        file: IO[bytes] = open_files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed by the stack
    else:  # a child process opens it by name
        folder = open_files.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        file = open_files.enter_context(open(Path(folder) / "lines", "w+b"))  # noqa: PTH123, SIM115
    file.write(data)
    file.flush()
    file.seek(0)
    return file


def _path_of(file: IO[bytes] | BinaryIO) -> str:
    """A path by which a child process that inherits the descriptor opens the file."""
    return f"/dev/fd/{file.fileno()}" if POSIX else str(file.name)
