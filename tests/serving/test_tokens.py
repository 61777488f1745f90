"""The file of named tokens: valid and invalid content, and reading it again."""

import logging
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from bearings.cli.commands import bearings
from bearings.errors import InvalidInput
from bearings.serving.tokens import LOOK_AGAIN_S, MAX_BYTES, TokenFile, digest_of, new_token

DIGEST = digest_of(b"secret")


def file_of(folder: Path, text: str) -> Path:
    path = folder / "tokens.toml"
    path.write_text(text)
    path.chmod(0o600)
    return path


def entry(name: str, *fields: str) -> str:
    return "\n".join([f"[{name}]", f'sha256 = "{digest_of(name.encode())}"', *fields, ""])


def test_an_entry_holds_the_permissions_of_its_token(tmp_path: Path):
    fields = (
        f'roots = ["{tmp_path}"]',
        'toolsets = ["geocode"]',
        "write = true",
        "expires = 2999-01-31T12:00:00+02:00",
    )
    token = TokenFile(file_of(tmp_path, entry("alice", *fields))).find(b"alice")
    assert token is not None
    assert (token.name, token.roots, token.toolsets, token.write) == (
        "alice", (tmp_path.resolve(),), frozenset({"geocode"}), True,
    )  # fmt: skip
    assert token.expires == datetime(2999, 1, 31, 10, tzinfo=UTC)


def test_an_entry_without_fields_may_all_but_write(tmp_path: Path):
    token = TokenFile(file_of(tmp_path, entry("bob"))).find(b"bob")
    assert token is not None
    assert (token.roots, token.toolsets, token.write, token.expires) == (None, None, False, None)


@pytest.mark.parametrize(
    ("expires", "valid"),
    [
        ("2020-01-01", False), ("2999-01-01", True), ("2020-01-01T00:00:00Z", False), ("2999-01-01T00:00:00Z", True),
        ("9999-12-31", True), ("9999-12-31T23:59:59-12:00", True), ("0001-01-01T00:00:00+12:00", False),
        (datetime.now(UTC).date().isoformat(), True),  # the whole day
    ],
)  # fmt: skip
def test_an_expired_token_is_none(tmp_path: Path, expires: str, valid: bool):
    found = TokenFile(file_of(tmp_path, entry("alice", f"expires = {expires}"))).find(b"alice")
    assert (found is not None) is valid


@pytest.mark.parametrize("secret", [b"", b"Alice", b"alice ", digest_of(b"alice").encode(), b"\xff"])
def test_only_the_token_itself_is_found(tmp_path: Path, secret: bytes):
    assert TokenFile(file_of(tmp_path, entry("alice"))).find(secret) is None


BAD = [
    ("[alice", "is no TOML"),
    ("\xff", "is no TOML"),
    ("alice = 1", "is no table"),
    ("[alice]", "alice.sha256 = None"),
    ('[alice]\nsha256 = "secret"', "is not 64 hexadecimal digits"),
    (f'[alice]\nsha256 = "{DIGEST}"\nexpire = 2030-01-01', "alice.expire"),
    (f'[alice]\nsha256 = "{DIGEST}"\nexpires = 2030-01-01T00:00:00', "no date or time with an offset"),
    (f'[alice]\nsha256 = "{DIGEST}"\nexpires = "tomorrow"', "alice.expires = 'tomorrow'"),
    (f'[alice]\nsha256 = "{DIGEST}"\nwrite = "yes"', "alice.write = 'yes'"),
    (f'[alice]\nsha256 = "{DIGEST}"\nroots = "/"', "is no list of strings"),
    (f'[alice]\nsha256 = "{DIGEST}"\nroots = ["relative"]', "no directory's absolute path"),
    (f'[alice]\nsha256 = "{DIGEST}"\nroots = ["/no/such/folder"]', "no directory's absolute path"),
    (f'[alice]\nsha256 = "{DIGEST}"\ntoolsets = [1]', "alice.toolsets"),
    (f'[alice]\nsha256 = "{DIGEST}"\n[bob]\nsha256 = "{DIGEST.upper()}"', "belongs to alice too"),
    (f'["a\\nb"]\nsha256 = "{DIGEST}"', "is no usable name"),
]


SECRET = "MY-SECRET-TOKEN"
HIDDEN = [
    f'[alice]\nsha256 = "{SECRET}"',
    f'[alice]\nsha256 = ["{SECRET}"]',
    f'[alice]\ntoken = "{SECRET}"',
    f'[alice]\nsha256 = "{DIGEST}"\nsecret = "{SECRET}"',
    f'alice = "{SECRET}"',
    f'[alice]\nsha256 = "{SECRET}',
    f"[alice]\nsha256 = {SECRET}",
    f'[alice]\nsha256 = "{SECRET}" "{SECRET}"',
]


@pytest.mark.parametrize("text", HIDDEN)
def test_no_error_shows_a_possible_token(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture):
    path = file_of(tmp_path, text)
    with pytest.raises(InvalidInput) as caught:
        TokenFile(path)
    assert SECRET not in caught.value.error + caught.value.hint
    replace(path, entry("alice"))
    tokens = TokenFile(path, look_again_s=0)
    replace(path, text)
    assert tokens.find(b"alice") is not None
    assert "the tokens stay as they were" in caplog.text
    assert SECRET not in caplog.text


def test_a_digest_that_stands_twice_is_not_shown_for_it_may_be_a_token(tmp_path: Path):
    with pytest.raises(InvalidInput) as caught:
        TokenFile(file_of(tmp_path, f'[a]\nsha256 = "{DIGEST}"\n[b]\nsha256 = "{DIGEST}"'))
    assert DIGEST[:16] not in caught.value.error


@pytest.mark.parametrize("becomes", ["nothing", "a loop"])
def test_a_root_that_was_removed_keeps_no_revoked_token(tmp_path: Path, caplog: pytest.LogCaptureFixture, becomes: str):
    (tmp_path / "project").mkdir()
    roots = f'roots = ["{tmp_path}/project"]'
    path = file_of(tmp_path, entry("alice", roots) + entry("mallory"))
    tokens = TokenFile(path, look_again_s=0)
    (tmp_path / "project").rmdir()
    if becomes == "a loop":
        (tmp_path / "project").symlink_to("project")
    replace(path, entry("alice", roots))
    assert tokens.find(b"mallory") is None
    alice = tokens.find(b"alice")
    assert alice is not None
    assert alice.roots == (tmp_path.resolve() / "project",)
    assert "alice.roots" in caplog.text


def test_an_error_is_logged_again_and_the_file_tried_again_while_the_tokens_are_stale(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    path = file_of(tmp_path, entry("alice"))
    tokens = TokenFile(path, look_again_s=0, try_again_s=0)
    replace(path, "[bob")
    for _ in range(3):
        assert tokens.find(b"alice") is not None
    assert caplog.text.count("the tokens stay as they were") == 3


def test_toolsets_that_name_no_tool_of_the_server_are_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    text = entry("alice", 'toolsets = ["geocode", "geocoed"]') + entry("bob", 'toolsets = ["geocode"]') + entry("carol")
    path = file_of(tmp_path, text)
    tokens = TokenFile(path, tools=frozenset({"geocode"}), look_again_s=0)
    [record] = caplog.records
    assert record.getMessage() == "BEARINGS_TOKENS: alice.toolsets: this server has no 'geocoed'"
    replace(path, entry("dave", 'toolsets = ["core"]'))
    assert tokens.find(b"dave") is not None
    assert "dave.toolsets: this server has no 'core'" in caplog.text


def test_a_toolset_is_named_or_is_all(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    sets = {"core": frozenset({"geocode", "nearby_places"})}
    text = entry("alice", 'toolsets = ["core", "batch"]') + entry("bob", 'toolsets = ["geocode", "all"]')
    tokens = TokenFile(file_of(tmp_path, text), tools=frozenset({"geocode", "batch"}), sets=sets)
    alice, bob = tokens.find(b"alice"), tokens.find(b"bob")
    assert alice is not None
    assert alice.toolsets == frozenset({"geocode", "nearby_places", "batch"})
    assert bob is not None
    assert bob.toolsets is None
    assert not caplog.records


@pytest.mark.parametrize(("text", "problem"), BAD)
def test_a_file_that_can_not_be_used_is_an_error_with_a_remedy(tmp_path: Path, text: str, problem: str):
    path = tmp_path / "tokens.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidInput) as caught:
        TokenFile(path)
    assert problem in caught.value.error
    assert "BEARINGS_TOKENS" in caught.value.error
    assert caught.value.hint


def test_a_file_that_is_not_there_or_too_large_is_an_error(tmp_path: Path):
    with pytest.raises(InvalidInput, match="can't be read"):
        TokenFile(tmp_path / "none")
    (tmp_path / "large").write_bytes(b"#" * (4 * 1024 * 1024 + 1))
    with pytest.raises(InvalidInput, match="has more than"):
        TokenFile(tmp_path / "large")


def test_a_change_is_read_and_a_bad_one_keeps_the_tokens(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING)
    path = file_of(tmp_path, entry("alice"))
    tokens = TokenFile(path, look_again_s=0)
    replace(path, entry("bob"))
    assert (tokens.find(b"alice"), tokens.find(b"bob") is not None) == (None, True)
    for broken in ("[bob", None):
        caplog.clear()
        replace(path, broken)
        assert tokens.find(b"bob") is not None
        assert tokens.find(b"bob") is not None
        [record] = caplog.records
        assert "the tokens stay as they were" in record.getMessage()
    replace(path, entry("carol"))
    assert (tokens.find(b"bob"), tokens.find(b"carol") is not None) == (None, True)


def test_a_file_is_not_looked_at_for_each_request(tmp_path: Path):
    path = file_of(tmp_path, entry("alice"))
    tokens = TokenFile(path, look_again_s=3600)
    replace(path, entry("bob"))
    assert tokens.find(b"alice") is not None
    assert LOOK_AGAIN_S <= 1


posix = pytest.mark.skipif(os.name != "posix", reason="modes, owners and FIFOs are POSIX")


@posix
@pytest.mark.parametrize("kind", ["fifo", "folder", "link to a fifo", "link to nothing", "endless", "too large"])
def test_the_old_tokens_hold_while_something_else_is_in_the_file_s_place(tmp_path: Path, kind: str, caplog):
    path = file_of(tmp_path, entry("alice"))
    tokens = TokenFile(path, look_again_s=0, try_again_s=0)
    path.unlink()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "too large":
        path.write_text("#" * (MAX_BYTES + 1))
    else:
        os.mkfifo(tmp_path / "fifo")
        path.symlink_to({"link to a fifo": "fifo", "link to nothing": "none", "endless": "/dev/zero"}[kind])
    assert tokens.find(b"alice") is not None
    assert tokens.find(b"bob") is None
    assert "the tokens stay as they were" in caplog.text
    with pytest.raises(InvalidInput, match=r"can't be read|has more than"):
        TokenFile(path)


@posix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o620, 0o602, 0o604, 0o777])
def test_a_file_that_others_may_read_is_said_once_and_refused_where_others_can_ask(tmp_path: Path, mode: int, caplog):
    path = file_of(tmp_path, entry("alice"))
    path.chmod(mode)
    tokens = TokenFile(path, look_again_s=0)
    path.write_text(entry("bob"))
    assert tokens.find(b"bob") is not None
    assert caplog.text.count("may be read or changed by others") == 1
    with pytest.raises(InvalidInput, match="by others"):
        TokenFile(path, must_be_private=True)
    path.chmod(0o400)
    public = TokenFile(path, look_again_s=0, must_be_private=True)
    path.chmod(mode)
    assert public.find(b"bob") is not None  # the tokens stay as they were
    assert "the tokens stay as they were" in caplog.text


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="root alone gives files away")
def test_a_file_of_somebody_else_is_refused_where_others_can_ask(tmp_path: Path):
    path = file_of(tmp_path, entry("alice"))
    os.chown(path, 65_534, -1)
    assert TokenFile(path).find(b"alice") is not None
    with pytest.raises(InvalidInput, match="others"):
        TokenFile(path, must_be_private=True)


def replace(path: Path, text: str | None) -> None:
    """Replace the file by a new one, as editors do."""
    if text is None:
        path.unlink()
        return
    draft = path.with_suffix(".new")
    draft.write_text(text)
    draft.replace(path)


@pytest.mark.parametrize("name", ["alice", "team.alice", "a-b_c", "0"])
def test_a_new_token_s_entry_is_one_of_the_file(tmp_path: Path, name: str):
    secret, made = new_token(name)
    found = TokenFile(file_of(tmp_path, made)).find(secret.encode())
    assert found is not None
    assert found.name == name
    assert secret not in made


def test_the_command_prints_an_entry_on_stdout_and_the_token_on_stderr(tmp_path: Path):
    done = CliRunner().invoke(bearings(), ["token", "alice"])
    assert done.exit_code == 0
    secret = done.stderr.partition("token: ")[2].split()[0]
    assert TokenFile(file_of(tmp_path, done.stdout)).find(secret.encode()) is not None
    refused = CliRunner().invoke(bearings(), ["token", "a b"])
    assert refused.exit_code == 2
    assert "is no usable name" in refused.stderr
