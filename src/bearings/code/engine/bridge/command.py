"""One run of an external program: no shell, no input, a deadline, and its process group killed at the end."""

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from bearings.child import POSIX, kill_all
from bearings.errors import BadOutput, CliFailed, CliNotFound, DeadlineExceeded, shown
from bearings.untrusted import clean_text

MAX_OUTPUT = 256_000_000
"""Bytes of standard output after which a program is stopped. The largest known index has 40 MB."""

_MAX_STDERR = 4_000
_SHOWN_STDERR = 800
_TICK_S = 0.01
_DRAIN_S = 2.0
"""How long to wait for the rest of the output after the program has ended; another process may hold the pipe open."""


class Finished(NamedTuple):
    """A finished program: its exit status, standard output, and the end of its standard error."""

    status: int
    stdout: bytes
    stderr: str

    def check(self, words: str) -> "Finished":
        """Returns itself for status 0. Raises CliFailed with the program's own message."""
        if self.status:
            detail = f": {self.stderr}" if self.stderr else ""
            how = f"was killed by signal {-self.status}" if self.status < 0 else f"ended with status {self.status}"
            raise CliFailed(
                f"coderef {words} {how}{detail}",
                "Run the same command by hand; the native engine needs no external coderef.",
            )
        return self


class Run:
    """A running program. `wait` is for one thread; `kill` may be called from any thread."""

    def __init__(self, arguments: Sequence[str], cwd: Path | None, environment: Mapping[str, str]) -> None:
        self._killed = threading.Event()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - a list, no shell; which program is the user's setting
                list(arguments),
                cwd=cwd,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=POSIX,
                creationflags=0 if POSIX else getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:
            raise CliNotFound(
                f"{shown(arguments[0])} can't be started ({error})", "Set CODEREF_CLI_PATH, or CODEREF_ENGINE=native."
            ) from error
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdout = _Pipe(self._process.stdout, MAX_OUTPUT, keep_end=False)
        self._stderr = _Pipe(self._process.stderr, _MAX_STDERR, keep_end=True)

    def wait(self, timeout_s: float, words: str) -> Finished:
        """Waits for the program's end, whatever its children do. Raises DeadlineExceeded, BadOutput for a flood."""
        deadline = time.monotonic() + timeout_s
        try:
            while not self._has_ended():
                if self._killed.is_set():
                    break
                if self._stdout.overflown:
                    break
                if time.monotonic() > deadline:
                    raise DeadlineExceeded(
                        f"coderef {words} did not end within {timeout_s:g} s, and was stopped with all that it started",
                        "Pass a smaller directory, or raise CODEREF_TIMEOUT.",
                    )
                self._killed.wait(_TICK_S)
        finally:
            self.kill()
        self._stdout.join(_DRAIN_S)
        self._stderr.join(_DRAIN_S)
        if self._stdout.overflown:  # the program ended by `kill` above, or because the pipe was closed
            raise BadOutput(f"coderef {words} wrote more than {MAX_OUTPUT:,} bytes", "Pass a smaller project.")
        stderr = clean_text(self._stderr.data.decode("utf-8", "replace").strip()[-_SHOWN_STDERR:], _SHOWN_STDERR)
        return Finished(self._process.returncode, self._stdout.data, stderr)

    def kill(self) -> None:
        """Kills the program and its process group; harmless after its end."""
        self._killed.set()
        if self._process.returncode is not None:
            return
        kill_all(self._process)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_DRAIN_S)

    def _has_ended(self) -> bool:
        """Whether the program has ended. It is not reaped, so that its process group can still be killed by its id."""
        if not POSIX:
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
        except ChildProcessError:
            return True


class _Pipe:
    """Reads a pipe in a thread, so that the program never blocks on it."""

    def __init__(self, pipe: IO[bytes], limit: int, *, keep_end: bool) -> None:
        self._pipe = pipe
        self._limit = limit
        self._keep_end = keep_end
        self._parts: list[bytes] = []
        self._size = 0
        self.overflown = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def data(self) -> bytes:
        """The data that was read, or its end."""
        data = b"".join(self._parts)
        return data[-self._limit :] if self._keep_end else data

    def join(self, timeout_s: float) -> None:
        """Waits for the end of the pipe, at most `timeout_s`."""
        self._thread.join(timeout_s)

    def _read(self) -> None:
        with suppress(OSError, ValueError), self._pipe:
            while part := self._pipe.read1(1 << 16) if hasattr(self._pipe, "read1") else self._pipe.read(1 << 16):
                self._add(part)
                if self.overflown:
                    return

    def _add(self, part: bytes) -> None:
        self._parts.append(part)
        self._size += len(part)
        if self._size > self._limit and self._keep_end:
            self._parts = [self.data]
            self._size = len(self._parts[0])
        self.overflown = self._size > self._limit
