"""The written command starts a server of this installation, of any kind."""

import os
import shlex
import sys
import sysconfig
from pathlib import Path

import pytest

from bearings.cli.clients.launch import Installation, LaunchCommand, launch_command, source_of, starts, typed_command
from bearings.errors import NotFound


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def made(folder: Path, **more: object) -> Installation:
    return Installation(folder, folder / "bin" / "python", folder / "scripts", **more)  # type: ignore[arg-type]


def test_this_installation_has_launchers():
    assert launch_command("bearings-code", Installation.here(), os.environ) == LaunchCommand(
        str(Path(sys.executable).parent / "bearings-code"), ("stdio",)
    )


@pytest.mark.parametrize("where", ["bin/bearings-places", "scripts/bearings-places.exe"])
def test_a_launcher_is_named_by_its_absolute_path(where: str, tmp_path: Path):
    launcher = program(tmp_path / where)
    assert launch_command("bearings-places", made(tmp_path), {}) == LaunchCommand(str(launcher), ("stdio",))


def test_without_a_launcher_python_starts_the_package_and_looks_for_nothing_in_the_working_directory(tmp_path: Path):
    words = ("-P", "-m", "bearings", "code", "serve", "stdio")
    assert launch_command("bearings-code", made(tmp_path), {}) == LaunchCommand(str(tmp_path / "bin/python"), words)


def test_a_copy_in_uv_s_cache_is_started_by_uvx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    uvx = program(tmp_path / "uv" / "uvx")
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    cached = made(tmp_path / "cache" / "archive-v0" / "J1TmB", source="/src/bearings", with_atlas=True)
    program(cached.python.parent / "bearings-places")
    for environ in ({"UV": str(uvx.with_name("uv"))}, {"PATH": str(uvx.parent)}):
        words = ("--from", "/src/bearings", "--with", "bearings-atlas", "bearings-places", "stdio")
        assert launch_command("bearings-places", cached, environ) == LaunchCommand(str(uvx), words)


def test_a_copy_in_uv_s_cache_without_uvx_is_an_error_with_a_remedy(tmp_path: Path):
    with pytest.raises(NotFound, match="uvx"):
        launch_command("bearings-code", made(tmp_path / "archive-v0" / "x"), {"PATH": str(tmp_path)})


@pytest.mark.parametrize(
    ("record", "source"),
    [
        (None, "bearings-mcp"),
        ('{"url": "file:///src/my%20bearings", "dir_info": {}}', "/src/my bearings"),
        ('{"url": "https://example.org/b.whl", "archive_info": {}}', "https://example.org/b.whl"),
        (
            '{"url": "https://example.org/b", "vcs_info": {"vcs": "git", "commit_id": "abc"}}',
            "git+https://example.org/b@abc",
        ),
    ],
)
def test_uvx_uses_the_source_of_this_copy(record: str | None, source: str):
    assert source_of(record) == source


@pytest.mark.parametrize(
    ("entry", "ours"),
    [
        ({"command": "/v/bin/bearings-places", "args": ["stdio"]}, True),
        ({"command": r"C:\v\Scripts\bearings-places.exe"}, True),
        ({"command": "uvx", "args": ["--from", "bearings-mcp", "bearings-places"]}, True),
        ({"command": "python", "args": ["-P", "-m", "bearings", "places", "serve", "stdio"]}, True),
        ({"command": "/v/bin/bearings-places", "args": ["stdio", "--toolsets", "core"]}, True),
        ({"command": "python", "args": "-P -m bearings places serve stdio --toolsets core".split()}, True),
        ({"command": "/v/bin/bearings-code"}, False),
        ({"url": "https://example.org/mcp"}, False),
        ({"command": 7, "args": "bearings-places"}, False),
        ("bearings-places", False),
        (None, False),
    ],
)
def test_an_entry_is_recognised_by_the_server_that_it_starts(entry: object, ours: bool):
    assert starts(entry, "bearings-places") is ours


def test_scripts_are_looked_for_where_this_python_puts_them():
    assert Installation.here().scripts == Path(sysconfig.get_path("scripts"))


def test_a_shell_is_told_the_program_only_where_it_would_not_find_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    nowhere = {"PATH": str(tmp_path / "nowhere")}
    here = made(tmp_path)
    assert typed_command(here, nowhere) == f"{shlex.quote(f'{tmp_path}/bin/python')} -P -m bearings"
    script = program(tmp_path / "bin" / "bearings")
    assert typed_command(here, nowhere) == shlex.quote(str(script))
    assert typed_command(here, {"PATH": str(script.parent)}) == ""
    cached = made(tmp_path / "archive-v0" / "x", source="/src/my bearings")
    assert typed_command(cached, {"PATH": str(script.parent)}) == "uvx --from '/src/my bearings' bearings"
