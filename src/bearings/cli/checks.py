"""The checks of `bearings doctor`; none of them builds, downloads or uses the network."""

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bearings.cli.clients.launch import Installation, launch_command, typed_command
from bearings.cli.envfile import REMEDY, not_taken, settings_classes, settings_file
from bearings.cli.wiring import Wing, Wiring, settings_of, version
from bearings.envfile import EnvFile
from bearings.errors import BearingsError
from bearings.programs import find_program, search_path
from bearings.settings import EnvSettings

Mark = Literal["ok", "warn", "fail"]

ASK_S = 5
"""The time limit for another program to print its version."""

LOW_DISK = 500 * 1024 * 1024
"""Bytes: a full atlas takes up to 200 MB, and twice that during its replacement."""


_WHOLE = 100_000
"""Characters of an overview of which one list is wanted."""


@dataclass(frozen=True, slots=True)
class Check:
    """One finding; `hint` is its remedy."""

    name: str
    mark: Mark
    detail: str
    hint: str = ""


async def checks(wiring: Wiring, project: str = "") -> tuple[Check, ...]:
    """All findings, in the order of display; with a project also how its imports resolve, which reads it."""
    results = [
        Check("bearings", "ok", f"{version()}, Python {platform.python_version()} ({sys.executable})"),
        Check("MCP SDK", "ok", importlib.metadata.version("mcp")),
        *_settings(),
    ]
    if not any(check.mark == "fail" for check in results):
        results += [await _gazetteer(wiring), *_caches(), await _clients(wiring)]
        results += await _imports(wiring, project) if project else ()
    return (*results, *_programs())


def _settings() -> Iterator[Check]:
    """The file of settings, and the unusable settings."""
    try:
        file = settings_file()
    except BearingsError as error:
        yield Check("settings", "fail", error.error, error.hint)
        return
    if file is not None:
        yield _file(file)
    yield from (refused for kind in settings_classes() if (refused := _refused(kind)))


def _file(file: EnvFile) -> Check:
    left_out = not_taken(file)
    if file.unread or left_out:
        names = "; ".join(f"{name} {why}" for name, why in left_out.items())
        return Check("settings", "warn", f"{file.name} " + (file.unread or f"is taken but for: {names}"), REMEDY)
    return Check("settings", "ok", f"{file.name} is taken" + (", all of it" if file.named else ""))


def _refused(kind: type[EnvSettings]) -> Check | None:
    try:
        settings_of(kind)
    except BearingsError as error:
        return Check("settings", "fail", error.error, error.hint)
    return None


async def _gazetteer(wiring: Wiring) -> Check:
    """Whether the places wing can answer at once."""
    try:
        status = await _structured(wiring.places(), "geocoder_status", {})
    except BearingsError as error:
        return Check("places", "fail", error.error, error.hint)
    detail = ": ".join(part for part in (status["backend"], status["detail"]) if part)
    data = ", ".join(f"{name} {value}" for name, value in status["data_versions"].items())
    if status["ready"]:
        return Check("places", "ok", detail + (f" ({data})" if data else ""))
    return Check("places", "warn", detail, "bearings places atlas info says which atlas there is.")


async def _imports(wiring: Wiring, project: str) -> list[Check]:
    """How many of a project's own imports resolve, and which do not."""
    try:
        question = {"project_path": project, "budget": _WHOLE}
        overview = await _structured(wiring.code(None), "coderef_context", question)
    except BearingsError as error:
        return [Check("imports", "fail", error.error, error.hint)]
    lines = (overview["context"] or {}).get("own_imports", ())
    hint = "Say in tsconfig.json's paths, or in pyproject.toml's pytest pythonpath, where they lead."
    unresolved = [Check("imports", "warn", line, hint if line is lines[-1] else "") for line in lines]
    return unresolved or [Check("imports", "ok", f"all of the project's own resolve ({project})")]


async def _structured(wing: Wing, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The reply of one tool of a wing, which is closed afterwards. Raises BearingsError."""
    try:
        reply, _ = await next(known for known in wing.tools if known.name == tool).run(arguments)
    finally:
        await wing.aclose()
    return reply.structured()


async def _clients(wiring: Wiring) -> Check:
    """The tools that a client sees, and the command that starts them."""
    try:
        places, code = wiring.places(), wiring.code(None)
        seen = f"{len(places.tools)} tools about places, {len(code.tools)} about code"
        await places.aclose()
        await code.aclose()
        start = launch_command("bearings-places", Installation.here(), os.environ)
    except BearingsError as error:
        return Check("clients", "fail", error.error, error.hint)
    return Check("clients", "ok", f"{seen}; bearings install writes {start.program} and the like")


def _caches() -> Iterator[Check]:
    """Whether both cache directories are writable, and the free space."""
    from bearings.code.settings import CodeSettings
    from bearings.places.settings import PlacesSettings

    yield directory("places cache", settings_of(PlacesSettings).cache_dir, "GEOCODER_CACHE_DIR")
    yield directory("code cache", settings_of(CodeSettings).cache_path(), "CODEREF_CACHE_DIR")


def directory(name: str, path: Path, variable: str) -> Check:
    """Whether `path`, or its closest existing parent, is writable."""
    there = next(part for part in (path, *path.absolute().parents) if part.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return Check(name, "fail", f"{path}: {there} can't be written", f"Set {variable} to a directory that can.")
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) if path.is_dir() else 0
    free = shutil.disk_usage(there).free
    detail = f"{path}: {_megabytes(size)} used, {_megabytes(free)} free"
    return Check(name, "ok" if free >= LOW_DISK else "warn", detail)


def _programs() -> Iterator[Check]:
    """Useful other programs, and the `coderef` on PATH. Programs in the working directory are never run."""
    yield program("git", "Files are found without it too, but more slowly.")
    yield program("node", "Optional: only an external coderef needs it.", needed=False)
    yield on_path(typed_command(Installation.here(), os.environ))
    yield coderef(find_program("coderef", os.curdir))


def on_path(typed: str) -> Check:
    """Whether the word `bearings` alone works; `typed` are the words to type if it does not."""
    if not typed:
        return Check("PATH", "ok", "bearings is on it")
    return Check(
        "PATH", "warn", "bearings is not on it", f"In a checkout: pipx install . or uv tool install . Or: {typed}"
    )


def program(name: str, hint: str, *, needed: bool = True) -> Check:
    """Whether a program exists, and its version."""
    path = find_program(name, os.curdir)
    if path is None:
        return Check(name, "warn" if needed else "ok", "not found", hint)
    return Check(name, "ok", f"{_banner(path) or 'no version'} ({path})")


def coderef(path: str | None) -> Check:
    """Whether the `coderef` on PATH belongs to this package."""
    if path is None:
        return Check("coderef", "ok", "not on PATH: bearings code does the same")
    banner = _banner(path)
    if "bearings-mcp" in banner:
        return Check("coderef", "ok", f"ours ({path})")
    return Check("coderef", "warn", f"another program: {banner or 'no version'} ({path})", "Ours is: bearings code")


def _banner(path: str) -> str:
    """The first line of `--version`; "" if the program does not print one."""
    try:
        process = subprocess.run(  # noqa: S603 - a program that the user has on PATH, and no shell
            [path, "--version"],
            env={**os.environ, "PATH": search_path(os.curdir)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ASK_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    lines = process.stdout.decode("utf-8", "replace").splitlines()
    return lines[0].strip()[:80] if lines and process.returncode == 0 else ""


def _megabytes(size: float) -> str:
    return f"{size / 1024**3:.1f} GB" if size >= 1024**3 else f"{size / 1024**2:.0f} MB"
