"""Commands of readers that have no shell: a few programs that read, and pipes between them.

A command is one pipeline. Words are quoted as in a shell; `*`, `?`, `[…]` and `{a,b}` are expanded where they are not
quoted. Programs run in the task's folder, may name no file outside it, and write nothing.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.truth.checkout import tool

READERS = frozenset("rg grep ls cat sed head tail find git wc sort uniq cut".split())
MOST = 30_000
"""Characters that come back, as the shells of agents have it."""
LIMIT_S = 120.0
RIPGREP = "@vscode/ripgrep@1.18.0"
_GIT = frozenset("diff grep log ls-files show status blame".split())
_WRITES = {
    "find": re.compile(r"-(exec|ok|delete|fprint|fls)"),
    "sed": re.compile(r"-\w*i|--in-place"),
    "rg": re.compile(r"--pre(=|-|$)|--hostname-bin"),
    "sort": re.compile(r"-\w*[oT]|--output|--compress-program"),
    "git": re.compile(r"-O|--(open-files-in-pager|output|ext-diff|textconv)"),
}
_BRACES = re.compile(r"\{([^{},]*(?:,[^{},]*)+)\}")


class Refused(Exception):
    """A command that is not run; the text says why."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command; `plain` if no part of it was quoted."""

    text: str
    plain: bool


def run(command: str, folder: Path, cache_dir: Path, *, ours: bool) -> tuple[str, float]:
    """A command's output and seconds. With `ours`, `bearings code …` is a program too."""
    programs = [_program(_expanded(words, folder), folder, ours=ours) for words in pipeline(command)]
    given, said = b"", b""
    started = time.perf_counter()
    for number, program in enumerate(programs):
        done = subprocess.run(
            program,
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=LIMIT_S,
            env=_env(cache_dir),
            stdin=None if number else subprocess.DEVNULL,
            input=given if number else None,
        )
        given, said = done.stdout, said + done.stderr
    taken = time.perf_counter() - started
    text = (given + said).decode(errors="replace")
    return (text if len(text) <= MOST else f"{text[:MOST]}\n… {len(text) - MOST} more characters"), taken


def pipeline(command: str) -> list[list[Word]]:
    """The words of each program of a pipeline."""
    found: list[list[Word]] = [[]]
    text, started, quoted, quote, rest = (
        "",
        False,
        False,
        "",
        iter(command.replace("2>/dev/null", "").replace("2>&1", "")),
    )
    for letter in rest:
        if quote:
            if letter == quote:
                quote = ""
            elif letter == "\\" and quote == '"':
                following = next(rest, "")
                text += following if following in '"\\$`' else letter + following
            else:
                text += letter
        elif letter in "'\"":
            quote, quoted, started = letter, True, True
        elif letter == "\\":
            text, started, quoted = text + next(rest, ""), True, True
        elif letter in ";&<>()`\n":
            raise Refused(f"{letter!r} is not understood: one command a call, with pipes and nothing else")
        elif letter == "|" or letter.isspace():
            if started:
                found[-1].append(Word(text, not quoted))
            text, started, quoted = "", False, False
            if letter == "|":
                found.append([])
        else:
            text, started = text + letter, True
    if quote:
        raise Refused("a quote is not closed")
    if started:
        found[-1].append(Word(text, not quoted))
    if not all(found):
        raise Refused("a program is missing")
    return found


def _expanded(words: Sequence[Word], folder: Path) -> list[str]:
    found = []
    for word in words:
        for text in _braces(word.text) if word.plain else [word.text]:
            pattern = word.plain and not text.startswith(("-", "/")) and any(mark in text for mark in "*?[")
            names = sorted(str(path.relative_to(folder)) for path in folder.glob(text)) if pattern else []
            found += names or [text]
    return found


def _braces(text: str) -> list[str]:
    found = _BRACES.search(text)
    if not found:
        return [text]
    return [
        whole for part in found[1].split(",") for whole in _braces(text[: found.start()] + part + text[found.end() :])
    ]


def _program(words: list[str], folder: Path, *, ours: bool) -> list[str]:
    name, *arguments = words
    if ours and name == "bearings":
        if arguments[:1] != ["code"] or arguments[1:2] in (["serve"], ["cache"]):
            raise Refused("of bearings, `bearings code …` is there, without serve and cache")
        return [sys.executable, "-m", "bearings", *arguments]
    if name not in READERS:
        raise Refused(f"{name} is not there: {', '.join(sorted(READERS | ({'bearings'} if ours else set())))}")
    if name == "git" and arguments[:1] and arguments[0] not in _GIT:
        raise Refused(f"of git there are {', '.join(sorted(_GIT))}")
    writes = _WRITES.get(name)
    for argument in arguments:
        if writes and writes.match(argument):
            raise Refused(f"{name} {argument} is not there: the folder is only read")
        if _outside(argument.partition("=")[2] or argument, folder):
            raise Refused(f"{argument} is outside the project")
    if name == "rg":
        return [ripgrep(), *arguments]
    return [name, *(["--sandbox"] if name == "sed" and sys.platform == "linux" else []), *arguments]


def _outside(name: str, folder: Path) -> bool:
    if not name.startswith(("/", "~")) and ".." not in name:
        return False
    try:
        place = (folder / Path(name).expanduser()).resolve()
        return place.exists() and not place.is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return False


@cache
def ripgrep() -> str:
    """The installed ripgrep, or npm's."""
    found = shutil.which("rg")
    if found:
        return found
    (program,) = tool(RIPGREP).parent.glob("ripgrep-*/bin/rg*")
    return str(program)


def _env(cache_dir: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH", "SYSTEMROOT") if name in os.environ}
    return kept | {
        "LC_ALL": "C.UTF-8",
        "GIT_PAGER": "cat",
        "GIT_OPTIONAL_LOCKS": "0",
        "CODEREF_CACHE_DIR": str(cache_dir),
    }
