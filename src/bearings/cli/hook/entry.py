"""The process that a client starts after its grep: half a second, no failure, only an answer on stdout.

Any failure or delay ends it silently with status 0, because a client shows a hook's errors to its model. With
BEARINGS_LOG_LEVEL=DEBUG the reason appears on stderr.
"""

import os
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from bearings.cli.hook.edit import Edit
    from bearings.cli.hook.payload import Search

GIVES_UP_S = 0.45
"""Seconds from the start of the process; the rest of half a second is for its end."""

_STARTED_S = 0.1
"""The assumed run time so far, if the system does not tell it."""

_VARIABLE = "BEARINGS_LOG_LEVEL"


class Silent(Exception):
    """There is nothing to add; the message has the reason."""


def hook(client: str) -> NoReturn:
    """Answer the payload on stdin, and end."""
    watch = threading.Timer(max(GIVES_UP_S - _elapsed_s(), 0), os._exit, (0,))
    watch.daemon = True
    watch.start()
    with suppress(BaseException):
        answer = answer_to(client, _stdin(), os.environ)
        if answer:
            os.write(1, answer)
    watch.cancel()
    os._exit(0)


def answer_to(client: str, data: bytes, environ: Mapping[str, str]) -> bytes:
    """The output for a payload; empty if there is nothing to add, or on any failure."""
    try:
        text = context_of(client, data, environ)
        import msgspec

        return msgspec.json.encode(shaped(client, text))
    except Silent as reason:
        _note(str(reason))
    except Exception as error:  # noqa: BLE001 - a client shows a hook's errors to its model
        _note(f"{type(error).__name__}: {error}")
    return b""


def context_of(client: str, data: bytes, environ: Mapping[str, str]) -> str:
    """The addition for a payload. Raises Silent."""
    from bearings.cli.hook.edit import edits_of
    from bearings.cli.hook.payload import payload_of, search_of

    payload = payload_of(data, client)
    edits = edits_of(payload)
    if edits:
        return _of_edits(edits, environ)
    search = search_of(payload)
    if search is None:
        raise Silent("this is no search and no edit, or none that is understood")
    return _of_search(search, environ)


def _of_edits(edits: "list[Edit]", environ: Mapping[str, str]) -> str:
    from bearings.cli.hook.broken import broken_by

    text = broken_by(edits, environ)
    if not text:
        raise Silent("no graph is kept of this directory, or no use is known that the edit broke")
    return text


def _of_search(search: "Search", environ: Mapping[str, str]) -> str:
    from bearings.cli.hook.pattern import identifiers_in

    identifiers = identifiers_in(search.pattern, literal=search.literal)
    if not identifiers:
        raise Silent("the pattern is no identifier")
    from bearings.cli.hook.addition import addition
    from bearings.cli.hook.project import project_of

    project = project_of(search.folder, search.paths[0] if search.paths else "", environ)
    if project is None:
        raise Silent("no graph of this directory is kept by this version, or it may not be read")
    text = addition(project.lookup, identifiers, project.relative(search.shown()))
    if not text:
        raise Silent("the result shows what the graph knows")
    return text


def shaped(client: str, text: str) -> dict[str, Any]:
    """The answer in a client's format: see the pages in clients/catalog.toml."""
    if client == "cursor":
        return {"additional_context": text}
    event = "AfterTool" if client == "gemini" else "PostToolUse"
    answer: dict[str, Any] = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    return {"additionalContext": text, **answer} if client == "vscode" else answer


def _stdin() -> bytes:
    """All of stdin; empty for a terminal or too much input."""
    from bearings.cli.hook.payload import MAX_BYTES

    if sys.stdin is None or os.isatty(0):
        _note("a client gives its payload on stdin")
        return b""
    pieces, size = [], 0
    while piece := os.read(0, 1 << 16):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_BYTES:
            _note(f"the payload has more than {MAX_BYTES:,} bytes")
            return b""
    return b"".join(pieces)


def _elapsed_s() -> float:
    """Seconds since the start of this process, from Linux; elsewhere a guess."""
    with suppress(OSError, ValueError, IndexError, AttributeError):
        ticks = int(Path("/proc/self/stat").read_bytes().rpartition(b") ")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    return _STARTED_S


def _note(text: str) -> None:
    """Write to stderr, if the log level asks for it."""
    if os.environ.get(_VARIABLE, "").strip().upper() == "DEBUG":
        with suppress(OSError):
            os.write(
                2, f"bearings hook: silent: {text} ({_elapsed_s() * 1000:.0f} ms)\n".encode("utf-8", "backslashreplace")
            )
