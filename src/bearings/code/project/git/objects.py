"""Objects read one by one from one `git cat-file --batch`, which runs from the first read to `close`."""

import os
import re
import secrets
import selectors
import subprocess
import time
import weakref
from collections.abc import Callable
from contextlib import suppress

from bearings.child import POSIX
from bearings.code.project.git.plumbing import PIECE, GitFails, GitHangs, nothing, start
from bearings.code.project.git.repository import Repository

_HEADER = re.compile(rb"[0-9a-f]{40,64} (blob|commit|tag|tree) (\d+)")
_MOST_FAILURES = 100
"""Damaged objects that end the command, before the repository counts as unreadable."""

_MAX_HEADER = 200


class Objects:
    """Reads objects of one repository. For one thread at a time.

    A read takes `timeout_s` at most (on Windows the caller's own deadline counts).
    """

    def __init__(self, repository: Repository, timeout_s: float) -> None:
        self._repository = repository
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Callable[[], object] = nothing
        self._mark = secrets.token_hex(20 if repository.format == "sha1" else 32)
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
        self._process = None
        self._end()

    def _started(self) -> "subprocess.Popen[bytes]":
        """The command, which ends with this object at the latest."""
        if self._process is None:
            self._process = start(self._repository, ["cat-file", "--batch"])
            self._end = weakref.finalize(self, _end, self._process)
        return self._process

    def _read(self, name: str, kind: str, most: int, deadline: float) -> bytes | None:
        """As `read`. Raises OSError or ValueError if git ends or says something else, TimeoutExpired.

        A damaged object may have other bytes than its header says, so a second question marks the end of the first.
        """
        process = self._started()
        assert process.stdin is not None
        process.stdin.write(f"{name}\n{self._mark}\n".encode("ascii"))
        process.stdin.flush()
        end = f"{self._mark} missing\n".encode("ascii")
        output = b""
        while b"\n" not in output:
            output += self._more(process, deadline)
            if len(output) > _MAX_HEADER and b"\n" not in output[:_MAX_HEADER]:
                raise ValueError("no header")
        head, _, rest = output.partition(b"\n")
        header = _HEADER.fullmatch(head)
        size = int(header[2]) if header is not None else 0
        if header is not None and (header[1] != kind.encode() or size > most):
            self.close()  # rather than to read what is not wanted
            return None
        pieces, have, wanted = [rest], len(rest), size + 1 + len(end) if header is not None else len(end)
        tail = rest[-len(end) :]
        while have < wanted and tail != end:
            pieces.append(self._more(process, deadline))
            have += len(pieces[-1])
            tail = (tail + pieces[-1])[-len(end) :]
        data = b"".join(pieces)
        if len(data) != wanted or not data.endswith(end):
            raise ValueError("an object of another size than it says")
        return data[:size] if header is not None else None

    def _more(self, process: "subprocess.Popen[bytes]", deadline: float) -> bytes:
        """The next piece of git's output. Raises OSError when it has ended, TimeoutExpired."""
        assert process.stdout is not None
        if POSIX:
            with selectors.DefaultSelector() as selector:
                selector.register(process.stdout, selectors.EVENT_READ)
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise subprocess.TimeoutExpired(process.args, self._timeout_s)
        piece = os.read(process.stdout.fileno(), PIECE)
        if not piece:
            raise OSError("git has ended")
        return piece


def _end(process: "subprocess.Popen[bytes]") -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.kill()
    process.wait()
