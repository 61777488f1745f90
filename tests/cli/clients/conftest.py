"""A home directory for each test, and the clients' files in it."""

from pathlib import Path

import pytest

from bearings.cli.clients.catalog import Client, clients

OTHERS = ("APPDATA", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "UV")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory."""
    for name in OTHERS:
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "home"
    path.mkdir()
    for name, value in {"HOME": "", "USERPROFILE": "", "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".data"}.items():
        monkeypatch.setenv(name, str(path / value))
    return path


def client(name: str) -> Client:
    """The client of that name."""
    return next(known for known in clients() if known.name == name)
