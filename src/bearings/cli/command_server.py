"""Answers commands about code in a server, which holds the graph: the other side of command_socket.py.

A project's socket opens with the first answer about it. A command is refused, and so answers by itself, if it writes,
if it is about another project, if the project's worker is busy, or if this package has changed since the server began.
"""

import asyncio
import errno
import io
import json
import os
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import Context
from functools import partial
from pathlib import Path
from typing import Any, TextIO, cast

import anyio
import anyio.from_thread
import anyio.to_thread

import bearings
from bearings.cli.command_socket import ACCEPTED, folder, identity, is_of_this_user, is_private, path_of
from bearings.code.engine.native import NativeEngine
from bearings.code.question import A_co, Answer, Question
from bearings.errors import Unsupported
from bearings.private import private_folder
from bearings.progress import Progress

_AT_ONCE = 4
_REQUEST_S = 1.0
_ALIVE_S = 0.1

_ELSEWHERE = ("as_open", "fleet", "html_path", "output_alias")
"""Options of answers that go elsewhere, or come from elsewhere."""

Printed = list[tuple[str, str]]
"""What a command printed, in order: "out", "err" or "document" (UTF-8 on stdout), and the text."""


class CommandServer:
    """The engine of a server, which answers commands too."""

    def __init__(self, engine: NativeEngine) -> None:
        self._engine = engine
        self._started = time.time()
        self._threads = anyio.CapacityLimiter(_AT_ONCE)
        self._sockets: dict[Path, asyncio.Server | None] = {}
        """None for a project that can't have one."""

    @property
    def name(self) -> str:
        """The engine's name in replies."""
        return self._engine.name

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """See CodeEngine."""
        answer = await self._engine.ask(root, question, progress)
        if root not in self._sockets:  # in a context of its own: commands have nothing of this call
            await asyncio.get_running_loop().create_task(self._open(root), context=Context())
        return answer

    async def aclose(self) -> None:
        """Closes the sockets and the engine."""
        for opened in filter(None, self._sockets.values()):
            opened.close()
        if self._sockets:
            with suppress(OSError):
                _sweep(folder())
        await self._engine.aclose()

    async def _open(self, root: Path) -> None:
        """Opens the project's socket, unless another server has one, or there is no private folder for it."""
        try:
            path = path_of(str(root))
            if not self._sockets:
                private_folder(Path(folder()))
                _sweep(folder())
            if not _is_alive(path):
                self._sockets[root] = None
                self._sockets[root] = await asyncio.start_unix_server(partial(self._serve, root), sock=_listening(path))
        except (OSError, ValueError):
            self._sockets[root] = None

    async def _serve(self, root: Path, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one command, or closes the connection without an answer."""
        with suppress(Exception):
            if is_of_this_user(writer.get_extra_info("socket")):
                async with asyncio.timeout(_REQUEST_S):
                    request = json.loads(await reader.readline())
                if request["identity"] == identity() and not _has_changed(self._started):
                    engine = _HeldProject(self._engine, root, partial(writer.write, ACCEPTED))
                    run = partial(_answer_of, engine, request["words"], Path(request["directory"]))
                    writer.write(await anyio.to_thread.run_sync(run, limiter=self._threads))
                    await writer.drain()
        writer.close()


class _HeldProject:
    """The engine of one command, which answers about one project, and only if its worker is idle at first."""

    def __init__(self, engine: NativeEngine, root: Path, accept: Callable[[], None]) -> None:
        self.is_accepted = self.is_refused = False
        self.name = engine.name
        self._engine = engine
        self._root = root
        self._accept = accept

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """See CodeEngine. A refusal makes the command's answer void."""
        self.is_refused |= root != self._root or not (self.is_accepted or self._engine.is_ready(root))
        if self.is_refused:
            raise Unsupported("this server does not answer the command", "The command answers by itself.")
        if not self.is_accepted:
            self._accept()
            self.is_accepted = True
        return await self._engine.ask(root, question, progress)

    async def aclose(self) -> None:
        """The server's engine stays open."""


class _Stream(io.TextIOBase):
    """A stream that notes what is printed."""

    def __init__(self, name: str, printed: Printed) -> None:
        self._name = name
        self._printed = printed

    def write(self, text: Any, /) -> int:
        """Notes a text, or UTF-8."""
        name, text = ("document", text.decode()) if isinstance(text, bytes) else (self._name, text)
        self._printed.append((name, text))
        return len(text)

    @property
    def buffer(self) -> "_Stream":
        """For bytes, the stream itself."""
        return self


def _answer_of(engine: _HeldProject, words: Sequence[str], directory: Path) -> bytes:
    """Runs a command in a thread of the event loop; its answer, or nothing if its own process must run it."""
    import click

    from bearings.cli.code_spellings import SPELLINGS
    from bearings.cli.streams import Streams, printing_to
    from bearings.cli.toolcommand import ToolCommand
    from bearings.cli.wiring import Wing
    from bearings.code.service import CodeService
    from bearings.code.tools import CodeTools

    spelling = SPELLINGS.get(words[0])
    if spelling is None or "-" in words:
        return b""
    (tool,) = CodeTools(CodeService(engine)).tools(spelling.tool)
    printed: Printed = []
    out, err = (cast("TextIO", _Stream(name, printed)) for name in ("out", "err"))
    with printing_to(Streams(out, err, directory, anyio.from_thread.run)), suppress(click.ClickException):
        command = ToolCommand(words[0], spelling, Wing((tool,), engine.aclose))
        context = command.make_context(words[0], list(words[1:]))
        if tool.effects.read_only and not any(map(context.params.get, _ELSEWHERE)):
            try:
                with context:
                    command.invoke(context)
            except click.exceptions.Exit as end:
                if not engine.is_refused:
                    answer = json.dumps({"status": end.exit_code, "printed": printed}).encode()
                    return answer if engine.is_accepted else ACCEPTED + answer
    return b""


def _listening(path: str) -> socket.socket:
    """A socket whose file replaces that of a server that has ended. Raises OSError."""
    own = f"{path}.{os.getpid()}"
    listening = socket.socket(socket.AF_UNIX)
    try:
        listening.bind(own)
        listening.listen()
        Path(own).replace(path)
    except OSError:
        listening.close()
        raise
    return listening


def _sweep(directory: str) -> None:
    """Removes the files of servers that have ended. Raises OSError, also for a folder that is not private."""
    if not is_private(directory):
        raise PermissionError(directory)
    for path in Path(directory).iterdir():
        if not _is_alive(str(path)):
            path.unlink(missing_ok=True)


def _is_alive(path: str) -> bool:
    """Whether a server listens at a socket. Raises OSError for a path that is too long."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(_ALIVE_S)
        return peer.connect_ex(path) not in (errno.ENOENT, errno.ECONNREFUSED)


def _has_changed(since: float) -> bool:
    """Whether a file of this package was changed after a time: other code may answer otherwise."""
    walked = os.walk(Path(bearings.__file__).parent)
    files = (f"{at}/{name}" for at, _, names in walked for name in names if name.endswith((".py", ".so", ".scm")))
    return any(os.stat(file).st_ctime > since for file in files)  # noqa: PTH116 - half the time of a Path's
