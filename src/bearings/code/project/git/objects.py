"""Objects read one by one from one `git cat-file --batch`, which runs from the first read to `close`."""

import os
import re
import selectors
import subprocess
import time
from contextlib import suppress

from bearings.code.project.git.plumbing import GitFails, GitHangs, start
from bearings.code.project.git.repository import Repository

_HEADER = re.compile(rb"[0-9a-f]{40,64} (blob|commit|tag|tree) (\d+)\n")
_MOST_FAILURES = 100
"""Damaged objects that end the command, before the repository counts as unreadable."""

_PIECE = 1 << 20
_MAX_HEADER = 200
_POSIX = os.name == "posix"


class Objects:
    """Reads objects of one repository. For one thread at a time.

    A read takes `timeout_s` at most (on Windows the caller's own deadline counts).
    """

    def __init__(self, repository: Repository, timeout_s: float) -> None:
        self._repository = repository
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""
        self._failures = 0

    def read(self, name: str, kind: str, most: int) -> bytes | None:
        """An object of a kind, by its name; None if it is absent, damaged, of another kind, or above `most` bytes.

        Raises GitHangs, and GitFails if git can't run or too many objects are damaged.
        """
        deadline = time.monotonic() + self._timeout_s
        try:
            data = self._read(name, kind, most, deadline)
        except (OSError, ValueError):
            self.close()
            self._failures += 1
            if self._failures > _MOST_FAILURES:
                raise GitFails("too many objects are damaged") from None
            return None
        except subprocess.TimeoutExpired:
            self.close()
            raise GitHangs from None
        return data

    def close(self) -> None:
        """End the command. The next read starts it again."""
        process, self._process, self._rest = self._process, None, b""
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.kill()
        process.wait()

    def _read(self, name: str, kind: str, most: int, deadline: float) -> bytes | None:
        """As `read`. Raises OSError or ValueError if git ends or says something else, TimeoutExpired."""
        if self._process is None:
            self._process = start(self._repository, ["cat-file", "--batch"])
        process = self._process
        assert process.stdin is not None
        process.stdin.write(f"{name}\n".encode("ascii"))
        process.stdin.flush()
        while b"\n" not in self._rest:
            self._more(process, deadline)
            if len(self._rest) > _MAX_HEADER and b"\n" not in self._rest[:_MAX_HEADER]:
                raise ValueError("no header")
        head, _, self._rest = self._rest.partition(b"\n")
        if head.endswith(b" missing"):
            return None
        found = _HEADER.fullmatch(head + b"\n")
        if found is None:
            raise ValueError("no header")
        size = int(found[2])
        if found[1] != kind.encode() or size > most:
            self.close()  # rather than to read what is not wanted
            return None
        return self._body(process, size, deadline)

    def _body(self, process: "subprocess.Popen[bytes]", size: int, deadline: float) -> bytes:
        pieces, have = [self._rest], len(self._rest)
        while have < size + 1:
            self._rest = b""
            self._more(process, deadline)
            pieces.append(self._rest)
            have += len(self._rest)
        data = b"".join(pieces)
        self._rest = data[size + 1 :]
        if data[size : size + 1] != b"\n":
            raise ValueError("no end")
        return data[:size]

    def _more(self, process: "subprocess.Popen[bytes]", deadline: float) -> None:
        """Read what git says next. Raises OSError when it has ended."""
        assert process.stdout is not None
        if _POSIX:
            with selectors.DefaultSelector() as selector:
                selector.register(process.stdout, selectors.EVENT_READ)
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise subprocess.TimeoutExpired(process.args, self._timeout_s)
        piece = os.read(process.stdout.fileno(), _PIECE)
        if not piece:
            raise OSError("git has ended")
        self._rest += piece
