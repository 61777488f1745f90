"""The process that a client starts after its grep or edit, or at a prompt: no failure, only an answer on stdout.

It has half a second, at a prompt two. Any failure or delay ends it silently with status 0, because a client shows a
hook's errors to its model. With BEARINGS_LOG_LEVEL=DEBUG the reason appears on stderr.
"""

import os
import re
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

GIVES_UP_S = 0.45
"""Seconds from the start of the process; the rest of half a second is for its end."""

GIVES_UP_AT_PROMPT_S = 2.0
"""The same at a prompt, once a turn: the whole graph is read."""

_PROMPT = re.compile(rb'"hook_event_name"\s*:\s*"(?:UserPromptSubmit|BeforeAgent)"')
"""The event of a prompt; inside a string of the payload, its quotes would have backslashes."""

_STARTED_S = 0.1
"""The assumed run time so far, if the system does not tell it."""

_VARIABLE = "BEARINGS_LOG_LEVEL"


class Silent(Exception):
    """There is nothing to add; the message has the reason."""


def hook(client: str) -> NoReturn:
    """Answer the payload on stdin, and end."""
    watch = _watch(GIVES_UP_S)
    with suppress(BaseException):
        data = _stdin()
        if _PROMPT.search(data):
            watch.cancel()
            watch = _watch(GIVES_UP_AT_PROMPT_S)
        answer = answer_to(client, data, os.environ)
        if answer:
            os.write(1, answer)
    watch.cancel()
    os._exit(0)


def _watch(seconds: float) -> threading.Timer:
    """A timer that ends the process so many seconds after its start."""
    timer = threading.Timer(max(seconds - _elapsed_s(), 0), os._exit, (0,))
    timer.daemon = True
    timer.start()
    return timer


def answer_to(client: str, data: bytes, environ: Mapping[str, str]) -> bytes:
    """The output for a payload; empty if there is nothing to add, or on any failure."""
    try:
        text = context_of(client, data, environ)
        import msgspec

        return msgspec.json.encode(shaped(client, text, at_prompt=bool(_PROMPT.search(data))))
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
    if edits := edits_of(payload):
        from bearings.cli.hook.broken import broken_by

        return _said(broken_by(edits, environ), "no use is known that the edit broke")
    if _PROMPT.search(data):
        from bearings.cli.hook.prompt import places_for

        return _said(places_for(payload, environ), "nothing is found for these words")
    from bearings.cli.hook.pattern import identifiers_in

    search = search_of(payload)
    identifiers = identifiers_in(search.pattern, literal=search.literal) if search is not None else []
    if search is None or not identifiers:
        raise Silent("this is no edit, prompt or search for an identifier, or none that is understood")
    from bearings.cli.hook.addition import addition
    from bearings.cli.hook.project import project_of

    project = project_of(search.folder, search.paths[0] if search.paths else "", environ)
    text = addition(project.lookup, identifiers, project.relative(search.shown())) if project else ""
    return _said(text, "the result shows what the graph knows")


def _said(text: str, reason: str) -> str:
    if not text:
        raise Silent(f"{reason}, or no graph of this directory is stored by this version, or it may not be read")
    return text


def shaped(client: str, text: str, *, at_prompt: bool = False) -> dict[str, Any]:
    """The answer in a client's format: see the pages in clients/catalog.toml."""
    if client == "cursor":
        return {"additional_context": text}
    tools, prompts = ("AfterTool", "BeforeAgent") if client == "gemini" else ("PostToolUse", "UserPromptSubmit")
    event = prompts if at_prompt else tools
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
