"""A `.env` in the working directory is untrusted and may set little. A file that the user names is taken whole."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bearings.cli.envfile import settings_classes
from bearings.code.settings import CodeSettings
from bearings.envfile import MAX_NAMED_BYTES, MAX_STRANGER_BYTES, EnvFile, named_file, working_directory_file
from bearings.errors import InvalidInput
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.settings import PlacesSettings
from bearings.settings import NOT_USABLE, DotEnv, EnvSettings, ServeSettings
from tests.cli.conftest import Invoke, process

FIELDS = [(kind, name) for kind in settings_classes() for name in kind.model_fields]


@pytest.mark.parametrize(("kind", "name"), FIELDS, ids=lambda value: getattr(value, "__name__", value))
def test_every_setting_has_a_decision_whether_a_strangers_file_may_set_it(kind: type[EnvSettings], name: str) -> None:
    assert len([mark for mark in kind.model_fields[name].metadata if isinstance(mark, DotEnv)]) == 1


def test_every_class_of_settings_is_walked() -> None:
    assert set(settings_classes()) == set(EnvSettings.__subclasses__())


def test_a_program_a_path_an_address_or_a_secret_is_refused() -> None:
    taken = {
        kind.variable(name)
        for kind, name in FIELDS
        if DotEnv.REFUSED not in kind.model_fields[name].metadata
    }  # fmt: skip
    assert taken == {
        "MCP_STDIO", "BEARINGS_LOG_LEVEL", "GEOCODER_LANGUAGE", "GEOCODER_RATE_LIMIT", "GEOCODER_CACHE_TTL",
        "GEOCODER_CACHE_SIZE", "GEOCODER_CACHE_DISK", "GEOCODER_TIMEOUT", "CODEREF_TIMEOUT", "CODEREF_MAX_FILE_BYTES",
        "CODEREF_SOCKET",
    }  # fmt: skip


def test_a_setting_without_a_decision_is_refused() -> None:
    class Careless(CodeSettings):
        new: str = "default"

    file = EnvFile(".env", values={"CODEREF_NEW": "stranger"})
    assert Careless(_env_file=file).new == "default"
    assert list(Careless.refused_in(file)) == ["CODEREF_NEW"]
    assert Careless(_env_file=EnvFile(".env", named=True, values={"CODEREF_NEW": "mine"})).new == "mine"


@pytest.mark.parametrize(
    ("kind", "variable", "value", "refused"),
    [
        (CodeSettings, "CODEREF_TIMEOUT", "5", ""),
        (CodeSettings, "CODEREF_TIMEOUT", "120.5", "raises a limit"),
        (CodeSettings, "CODEREF_TIMEOUT", "soon", NOT_USABLE),
        (CodeSettings, "CODEREF_CLI_PATH", ".", "names a program, an address, a path or a secret"),
        (NominatimSettings, "GEOCODER_CACHE_DISK", "off", ""),
        (NominatimSettings, "GEOCODER_CACHE_DISK", "1 MB", ""),
        (NominatimSettings, "GEOCODER_CACHE_DISK", "1 TB", "raises a limit"),
        (NominatimSettings, "GEOCODER_RATE_LIMIT", "3", ""),
        (ServeSettings, "BEARINGS_LOG_LEVEL", "loud", NOT_USABLE),
        (ServeSettings, "BEARINGS_LOG_LEVEL", "error", ""),
        (ServeSettings, "BEARINGS_LOG_LEVEL", "warn", ""),
        (ServeSettings, "BEARINGS_LOG_LEVEL", "info", "logs what was asked"),
        (ServeSettings, "BEARINGS_LOG_LEVEL", "DEBUG", "logs what was asked"),
        (ServeSettings, "BEARINGS_LOG_LEVEL", "notset", "logs what was asked"),
        (PlacesSettings, "GEOCODER_LANGUAGE", "de", ""),
    ],
)
def test_harmless_settings_are_taken_from_an_untrusted_file(
    kind: type[EnvSettings], variable: str, value: str, refused: str
) -> None:
    file = EnvFile(".env", values={variable: value, "OTHER": "1"})
    assert kind.refused_in(file) == ({variable: refused} if refused else {})
    settings = kind(_env_file=file)
    assert settings.model_fields_set == (set() if refused else {name(kind, variable)})


def name(kind: type[EnvSettings], variable: str) -> str:
    return next(name for name in kind.model_fields if kind.variable(name) == variable)


class TestWorkingDirectory:
    def test_there_is_none(self, empty_place: Path) -> None:
        assert working_directory_file() is None
        (empty_place / ".env").mkdir()
        assert working_directory_file() is None

    def test_names_are_in_capitals_and_nothing_is_replaced(self, empty_place: Path) -> None:
        (empty_place / ".env").write_text(
            "\ufeffgeocoder_language=${HOME}\nexport B='x y'\nEMPTY=\nBARE\n'broken\nLAST=1\n", "utf-8"
        )
        found = working_directory_file()
        assert found is not None
        assert found.values == {"GEOCODER_LANGUAGE": "${HOME}", "B": "x y", "LAST": "1"}

    def test_a_link_is_followed_inside_only(self, empty_place: Path, tmp_path: Path) -> None:
        here = tmp_path / "here"
        here.mkdir()
        os.chdir(here)
        (tmp_path / "secret").write_text("A=1")
        (here / ".env").symlink_to("../secret")
        assert working_directory_file() == EnvFile(".env", unread="is a link that leads out of the working directory")
        (here / ".env").unlink()
        (here / "own").write_text("A=1")
        (here / ".env").symlink_to("own")
        assert working_directory_file() == EnvFile(".env", values={"A": "1"})
        (here / ".env").unlink()
        (here / ".env").symlink_to(".env")
        found = working_directory_file()
        assert found is None or found.unread

    def test_a_pipe_is_not_waited_for(self, empty_place: Path) -> None:
        os.mkfifo(empty_place / ".env")
        assert working_directory_file() is None

    @pytest.mark.parametrize(
        ("content", "why"),
        [(b"A=\xff", "is not UTF-8"), (b"A=1\n" + b"#" * MAX_STRANGER_BYTES, "has more than 32,768 bytes")],
    )
    def test_an_unreadable_file_is_skipped_and_reported(
        self, empty_place: Path, invoke: Invoke, content: bytes, why: str
    ) -> None:
        (empty_place / ".env").write_bytes(content)
        assert working_directory_file() == EnvFile(".env", unread=why)
        result = invoke("code", "scan")
        assert result.exit_code == 0
        assert f"Warning: .env here {why}" in result.stderr
        assert "--env-file" in result.stderr

    def test_a_long_line_is_skipped(self, empty_place: Path) -> None:
        (empty_place / ".env").write_text("A=x" + " " * 2000 + "y\nB=1\n")
        assert working_directory_file() == EnvFile(".env", values={"B": "1"})

    @pytest.mark.parametrize("blank", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
    def test_a_line_ends_where_python_dotenv_ends_it(self, empty_place: Path, blank: str) -> None:
        long = f"A=x{' ' * 900}{blank}" * 3
        (empty_place / ".env").write_bytes(f"{long}\nB=1\rC=2\r\nD=3".encode())
        assert working_directory_file() == EnvFile(".env", values={"B": "1", "C": "2", "D": "3"})


class TestNamed:
    def test_a_named_file_is_taken_whole_and_the_local_one_not_read(
        self, empty_place: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cache, mine = empty_place / "mine", empty_place / "my settings"
        (empty_place / ".env").write_text("CODEREF_TIMEOUT=never\nCODEREF_CACHE_DIR=stranger\n")
        monkeypatch.setenv("PLACE", str(cache))
        mine.write_text("CODEREF_CACHE_DIR=${PLACE}\n")
        for words in (
            ("--env-file", str(mine), "code", "cache", "info"),
            ("code", "--env-file", "my settings", "cache", "info"),
        ):
            result = invoke(*words)
            assert result.exit_code == 0, result.stderr
            assert result.stdout.startswith(f"{cache}: ")
            assert result.stderr == ""
        monkeypatch.setenv("BEARINGS_ENV_FILE", str(mine))
        assert invoke("code", "cache", "info").stdout.startswith(f"{cache}: ")
        result = invoke("--env-file", os.devnull, "code", "cache", "info")
        assert (result.exit_code, str(cache) in result.stdout) == (0, False), "the option goes before the variable"

    @pytest.mark.parametrize(
        ("words", "why"),
        [
            (["--env-file", "none"], "can't be read (No such file or directory)"),
            (["--env-file", "."], "can't be read (Is a directory)"),
            (["--env-file", ""], "can't be read (Is a directory)"),
            (["--env-file", "odd"], "is not UTF-8"),
        ],
    )
    def test_one_that_can_not_be_read_is_an_error(
        self, empty_place: Path, invoke: Invoke, words: list[str], why: str
    ) -> None:
        (empty_place / "odd").write_bytes(b"A=\xff")
        for line in (["code", "scan"], ["code", "cache", "info"], ["code", "serve", "stdio"], ["serve", "http"]):
            result = invoke(*words, *line)
            assert result.exit_code == 2, line
            assert f"BEARINGS_ENV_FILE = {words[1]!r}: {why}" in result.stderr
        result = invoke(*words, "doctor")
        assert result.exit_code == 1
        assert why in result.stdout

    def test_one_that_is_no_path_or_without_end_is_an_error(self) -> None:
        with pytest.raises(InvalidInput, match="is no path"):
            named_file("a\0b")
        with pytest.raises(InvalidInput, match=f"more than {MAX_NAMED_BYTES:,} bytes"):
            named_file("/dev/zero")

    def test_a_pipe_can_be_named(self, empty_place: Path, invoke: Invoke) -> None:
        os.mkfifo(empty_place / "pipe")
        said = f"CODEREF_CACHE_DIR={empty_place / 'piped'}\nCODEREF_TIMEOUT=5\n"
        writer = threading.Thread(target=(empty_place / "pipe").write_text, args=(said,), daemon=True)
        writer.start()
        result = invoke("--env-file", "pipe", "code", "cache", "info")
        writer.join(30)
        assert result.stdout.startswith(f"{empty_place / 'piped'}: "), result.stderr


@pytest.mark.slow
def test_a_refused_setting_is_named_once_without_its_value(empty_place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (empty_place / ".env").write_text(
        "NOMINATIM_BASE_URL=http://evil.example\ncoderef_cli_path=evil\nCODEREF_ENGINE=cli\nCODEREF_TIMEOUT=5\n"
    )
    result = process("code", "scan", CODEREF_ENGINE="native")
    said = result.stderr.decode()
    assert result.returncode == 0, said
    assert said.count("Warning: ") == 1
    assert "not taken from it: NOMINATIM_BASE_URL, CODEREF_CLI_PATH." in said, "the environment says the engine anyway"
    assert "evil" not in said + result.stdout.decode()


@pytest.mark.slow
def test_a_shell_that_completes_a_line_shows_no_warning(empty_place: Path) -> None:
    (empty_place / ".env").write_text("CODEREF_CLI_PATH=.\n")
    asked = {"_BEARINGS_COMPLETE": "bash_complete", "COMP_WORDS": "bearings code scan --", "COMP_CWORD": "3"}
    result = process("code", **asked)
    assert b"--lang" in result.stdout
    assert result.stderr == b""


@pytest.mark.slow
def test_the_doctor_says_which_file_a_setting_comes_from_and_which_are_not_taken(
    empty_place: Path, invoke: Invoke
) -> None:
    (empty_place / ".env").write_text("GEOCODER_LANGUAGE=de\nGEOCODER_TIMEOUT=900\nNOMINATIM_EMAIL=a@b.example\n")
    found = json.loads(invoke("doctor", "--json").stdout)
    settings = {setting["variable"]: setting for setting in found["settings"]}
    assert (settings["GEOCODER_LANGUAGE"]["value"], settings["GEOCODER_LANGUAGE"]["origin"]) == ("de", ".env")
    assert (settings["GEOCODER_TIMEOUT"]["value"], settings["GEOCODER_TIMEOUT"]["origin"]) == ("30.0", "default")
    assert settings["GEOCODER_TIMEOUT"]["not_taken"] == "raises a limit"
    assert settings["NOMINATIM_EMAIL"]["value"] == ""
    [check] = [check for check in found["checks"] if check["name"] == "settings"]
    assert check["mark"] == "warn"
    assert "GEOCODER_TIMEOUT raises a limit" in check["detail"]
    assert "NOMINATIM_EMAIL names a program, an address" in check["detail"]
    assert "--env-file" in check["hint"]
    found = json.loads(invoke("--env-file", ".env", "doctor", "--json").stdout)
    settings = {setting["variable"]: setting for setting in found["settings"]}
    assert (settings["GEOCODER_TIMEOUT"]["value"], settings["GEOCODER_TIMEOUT"]["origin"]) == ("900", ".env")
    assert settings["NOMINATIM_EMAIL"]["value"] == "set, not shown"
    assert invoke("doctor").stdout.count("(not taken from .env: ") == 2


@pytest.mark.parametrize("password", ["hunter2", "hun@ter2", "hun/ter2", "hun?ter2#", ""])
def test_the_doctor_shows_no_credentials_of_a_url(
    password: str, empty_place: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOMINATIM_BASE_URL", f"https://me:{password}@geo.example.org/nominatim")
    for words in (("doctor",), ("doctor", "--json")):
        said = invoke(*words).output
        assert "https://…@geo.example.org/nominatim" in said
        assert "ter2" not in said
        assert "me:" not in said


@pytest.mark.slow
def test_the_worker_reads_no_settings() -> None:
    script = (
        "import sys, bearings.code.engine.worker, bearings.code.index.worker_pool\n"
        "print({'bearings.settings', 'bearings.envfile', 'dotenv'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
