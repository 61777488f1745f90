"""Ask a running server to answer a command about code, over a Unix socket. Nothing slow is imported here.

The server (command_server.py) runs the command over the graph that it holds, and sends what it printed. Version,
settings and project name the socket, so a command finds only a server that answers as it would itself. When anything is
unexpected, the command answers by itself.

A request is a line of JSON; the answer is `ACCEPTED`, then JSON up to the end. An end before is a refusal.
"""

import os
import stat
import sys
from collections.abc import Iterator, Sequence

import bearings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket

ACCEPTED = b"+"
"""Sent before the work, which may take long."""

_ACCEPTED_S = 1.0
"""How long a server may take to accept a request; the first one imports the commands."""

_ANSWERED_S = 150.0
"""How long an accepted request may take: more than the default CODEREF_TIMEOUT."""

_SETTINGS = ("CODEREF_", "BEARINGS_FLEET")
_PLACES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
"""Variables that decide an answer, and how settings begin that do."""

_NOT_ASKED = frozenset({"--help", "-h", "-"})
"""Words of a line that asks no question, or reads standard input."""

_OTHERWISE = ("BEARINGS_ENV_FILE", "BEARINGS_LOG_LEVEL", "_COMPLETE")
"""How variables end with which a command prints, or finds settings, in another way."""

_BROKEN_PIPE, _INTERRUPTED = 1, 130
_OF_OTHERS = 0o077


def identity() -> list[str]:
    """What a command and its server have in common, beside the project."""
    names = sorted(name for name in os.environ if name.upper().startswith(_SETTINGS) or name in _PLACES)
    place = os.path.dirname(os.path.abspath(bearings.__file__))
    return [bearings.__version__, place, *(f"{name}={os.environ[name]}" for name in names)]


def folder() -> str:
    """The folder of the sockets, which need not exist. Clients give a server HOME, but not XDG_RUNTIME_DIR."""
    caches = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser(caches), "bearings", "run")


def path_of(project: str) -> str:
    """The socket of a project, which is a real path. The name is short: a socket's path has a hundred characters."""
    from zlib import crc32

    return os.path.join(folder(), f"{crc32(repr([*identity(), project]).encode()):08x}")


def is_private(directory: str) -> bool:
    """Whether a directory, no link to one, is this user's own and closed to others."""
    try:
        status = os.lstat(directory)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & _OF_OTHERS


def is_of_this_user(peer: "socket") -> bool:
    """Whether the process behind a connection is this user's. Where Python can't tell (macOS), the folder decides."""
    import socket

    if not hasattr(socket, "SO_PEERCRED"):
        return True
    pid_uid_gid = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int.from_bytes(pid_uid_gid[4:8], sys.byteorder) == os.geteuid()


def leave_if_answered(words: Sequence[str]) -> None:
    """If a server answers the command about code in `words`, print its answer and end the process; else return."""
    try:
        answer = _answer_to(words) if _may_be_asked(words) else None
    except (OSError, ValueError, TypeError, LookupError):
        return
    except KeyboardInterrupt:
        os._exit(_INTERRUPTED)
    if answer is None:
        return
    status, printed = answer
    try:
        for stream, data in printed:
            while data:
                data = data[os.write(stream, data) :]
    except BrokenPipeError:
        status = _BROKEN_PIPE
    os._exit(status)


def _may_be_asked(words: Sequence[str]) -> bool:
    """Whether a server may answer. It prints for pipes, as agents have them, and has neither this `.env` nor stdin."""
    is_question = bool(words) and not words[0].startswith("-") and _NOT_ASKED.isdisjoint(words)
    has_pipes = sys.stdout is not None and sys.stderr is not None and not (os.isatty(1) or os.isatty(2))
    is_plain = not any(name.upper().endswith(_OTHERWISE) for name in os.environ) and not os.path.lexists(".env")
    return os.name == "posix" and is_question and has_pipes and is_plain and is_private(folder())


def _answer_to(words: Sequence[str]) -> tuple[int, list[tuple[int, bytes]]] | None:
    for project in _projects(words):
        path = path_of(project)
        if os.path.lexists(path) and (answer := _asked(path, words)) is not None:
            return answer
    return None


def _projects(words: Sequence[str]) -> Iterator[str]:
    """The directories that the line may be about, the current one last. The server knows which it is."""
    for word in dict.fromkeys([*(word.partition("=")[2] or word for word in words), "."]):
        if os.path.isdir(directory := os.path.expanduser(word)):
            yield os.path.realpath(directory)


def _asked(path: str, words: Sequence[str]) -> tuple[int, list[tuple[int, bytes]]] | None:
    """The exit status, and what to write to which stream; None for a refusal. Raises OSError, ValueError and others."""
    import json
    import socket

    request = {"identity": identity(), "directory": os.getcwd(), "words": list(words)}
    try:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(_ACCEPTED_S)
            peer.connect(path)
            if not is_of_this_user(peer):
                return None
            peer.sendall(json.dumps(request).encode() + b"\n")
            if peer.recv(1) != ACCEPTED:
                return None
            peer.settimeout(_ANSWERED_S)
            with peer.makefile("rb") as rest:
                answer = json.loads(rest.read())
    except OSError:  # another project of the line may have a server
        return None
    return int(answer["status"]), [_encoded(*part) for part in answer["printed"]]


def _encoded(stream: str, text: str) -> tuple[int, bytes]:
    """A part as this process would write it: documents in UTF-8, other text as the locale has it."""
    if stream == "document":
        return 1, text.encode()
    out, number = (sys.stdout, 1) if stream == "out" else (sys.stderr, 2)
    return number, text.encode(out.encoding, "replace")
