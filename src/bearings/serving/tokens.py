"""The file of named tokens (`BEARINGS_TOKENS`), read again when it changes.

It is TOML with a table for each token. It holds the SHA-256 of a token, never the token itself:

    [alice]
    sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    roots = ["/srv/projects/alice"]           # default: all that the server may read
    toolsets = ["geocode", "core"]            # tools and sets of tools; default: all that the server offers
    write = false                             # default: false
    expires = 2027-01-31T12:00:00Z            # or a date, the last day; default: never
"""

import hashlib
import hmac
import logging
import os
import re
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from datetime import time as day_time
from pathlib import Path
from typing import Any

from bearings import parsing
from bearings.errors import InvalidInput
from bearings.regular import read_regular

VARIABLE = "BEARINGS_TOKENS"

LOOK_AGAIN_S = 1.0
"""Seconds after which a change of the file is noticed at the latest."""

TRY_AGAIN_S = 60.0
"""The interval at which an unusable file is tried again and its error logged; until then the old tokens hold."""

_PATIENCE_S = 1.0
"""How long a request waits for the file's content; a regular file takes a millisecond."""

_OPEN = ("may be read or changed by others", "chmod 600, as the user that runs the server.")

MAX_BYTES = 4 * 1024 * 1024
"""Some 10,000 tokens."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MAKE = "`bearings token NAME` prints a token and its entry."
_FIELDS = ("sha256", "roots", "toolsets", "write", "expires")

logger = logging.getLogger(__name__)


class _Secret:
    """Replaces, in an error, a value that may be a token."""

    def __repr__(self) -> str:
        return "(not shown)"


_NOT_SHOWN = _Secret()


@dataclass(frozen=True, slots=True)
class Token:
    """An entry of the file."""

    name: str
    sha256: str
    roots: tuple[Path, ...] | None = None
    toolsets: frozenset[str] | None = None
    write: bool = False
    expires: datetime | None = None


def digest_of(secret: bytes) -> str:
    """The digest of a token, as in the file."""
    return hashlib.sha256(secret).hexdigest()


def new_token(name: str) -> tuple[str, str]:
    """A new random token, and its entry for the file. Raises InvalidInput for an unusable name."""
    _check_name(name, "name")
    secret = secrets.token_urlsafe(32)
    key = f'"{name}"' if "." in name else name  # a dot in a bare key would make a table within a table
    return secret, f'[{key}]\nsha256 = "{digest_of(secret.encode())}"\nwrite = false\n'


class TokenFile:
    """The tokens of a file. The constructor raises InvalidInput for an unusable file.

    Later, an unusable change is logged, and the old tokens hold. A root that is no longer a directory is logged, and
    nothing is read there. A file that others may read or change is logged too, and unusable if it `must_be_private`.
    It is read in a thread, which a caller awaits for a moment at most. `tools` are the names of the server's tools,
    `sets` the tools of each of its sets; unknown names in toolsets are logged.
    """

    def __init__(
        self,
        path: Path,
        *,
        tools: frozenset[str] | None = None,
        sets: Mapping[str, frozenset[str]] | None = None,
        look_again_s: float = LOOK_AGAIN_S,
        try_again_s: float = TRY_AGAIN_S,
        must_be_private: bool = False,
    ) -> None:
        self._path = path
        self._tools = tools
        self._sets = sets or {}
        self._look_again_s = look_again_s
        self._try_again_s = try_again_s
        self._must_be_private = must_be_private
        self._is_open = False
        """Whether others may read or change the file, which is logged once."""
        self._reader = threading.Thread()
        self._stamp = _stamp(path)
        self._looked = time.monotonic()
        self._failed: float | None = None
        """The time at which a change could not be used, while the tokens are older than the file."""
        self._tokens = self._read(roots_must_exist=True)
        self._warn()

    def find(self, secret: bytes) -> Token | None:
        """The entry for `secret`, unless it has expired."""
        self._refresh()
        given = digest_of(secret)
        token = self._tokens.get(given)
        if token is None or not hmac.compare_digest(token.sha256, given):
            return None
        is_valid = token.expires is None or datetime.now(UTC) < token.expires
        return self._with_sets(token) if is_valid else None

    def _with_sets(self, token: Token) -> Token:
        """The same token with the tools of each set that it names."""
        if token.toolsets is None or "all" in token.toolsets:
            return replace(token, toolsets=None)
        named = (self._sets.get(name, frozenset({name})) for name in token.toolsets)
        return replace(token, toolsets=frozenset().union(*named))

    def _refresh(self) -> None:
        now = time.monotonic()
        if now - self._looked < self._look_again_s:
            return
        self._looked = now
        if not self._reader.is_alive():  # else its disk hangs
            self._reader = threading.Thread(target=self._look, args=(now,), daemon=True)
            self._reader.start()
            self._reader.join(_PATIENCE_S)

    def _look(self, now: float) -> None:
        """Read the file again if it has changed."""
        stamp = _stamp(self._path)
        is_due = self._failed is not None and now - self._failed >= self._try_again_s
        if stamp == self._stamp and not is_due:
            return
        self._stamp = stamp
        try:
            self._tokens = self._read(roots_must_exist=False)
        except InvalidInput as error:
            self._failed = now
            logger.error("the tokens stay as they were: %s. %s", error.error, error.hint)  # noqa: TRY400 - no trace
        else:
            self._failed = None
            logger.warning("%s was read again: %d tokens", self._path, len(self._tokens))
            self._warn()

    def _read(self, *, roots_must_exist: bool) -> dict[str, Token]:
        """The tokens of the file. Raises InvalidInput."""
        data, status = _content(self._path)
        is_open = _is_open(status)
        if is_open and self._must_be_private:
            raise InvalidInput(VARIABLE, str(self._path), *_OPEN)
        if is_open and not self._is_open:
            _warn("%s %s. %s", self._path, *_OPEN)
        self._is_open = is_open
        return _tokens(self._path, data, roots_must_exist)

    def _warn(self) -> None:
        """Log entries of the file that have no effect."""
        for token in self._tokens.values():
            for root in token.roots or ():
                if not root.is_dir():
                    _warn("%s.roots: %s is no directory; nothing is read there", token.name, root)
            if self._tools is not None:
                unknown = sorted((token.toolsets or frozenset()) - {*self._tools, *self._sets, "all"})
                if unknown:
                    _warn("%s.toolsets: this server has no %s", token.name, ", ".join(map(repr, unknown)))


def _warn(message: str, *parts: object) -> None:
    logger.warning(f"%s: {message}", VARIABLE, *parts)


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _is_open(status: os.stat_result) -> bool:
    """Whether others than this user may read or change a file: a group may read what root has given to it."""
    if not hasattr(os, "geteuid"):
        return False
    if status.st_uid == os.geteuid():
        return bool(status.st_mode & 0o077)
    return status.st_uid != 0 or bool(status.st_mode & 0o037)


def _content(path: Path) -> tuple[bytes, os.stat_result]:
    """The bytes and the status of the file. Raises InvalidInput."""
    try:
        data, status = read_regular(path, MAX_BYTES)
    except OSError as error:
        problem = f"can't be read ({error.strerror})"
        raise InvalidInput(VARIABLE, str(path), problem, "Name a file that exists, in TOML.") from None
    if len(data) > MAX_BYTES:
        raise InvalidInput(VARIABLE, str(path), f"has more than {MAX_BYTES} bytes", "Remove old entries.")
    return data, status


def _tokens(path: Path, data: bytes, roots_must_exist: bool) -> dict[str, Token]:
    """The tokens of a file, by their SHA-256.

    Raises InvalidInput with the entry and the field, but without a value that may be a token in place of its SHA-256.
    """
    try:
        tables = parsing.toml(data.decode(), MAX_BYTES)
    except ValueError as error:
        raise InvalidInput(VARIABLE, str(path), f"is no TOML ({error})", _MAKE) from None
    tokens: dict[str, Token] = {}
    for name, table in tables.items():
        token = _token(name, table, roots_must_exist)
        if token.sha256 in tokens:
            raise _invalid(f"{name}.sha256", _NOT_SHOWN, f"belongs to {tokens[token.sha256].name} too", _MAKE)
        tokens[token.sha256] = token
    return tokens


def _token(name: str, table: Any, roots_must_exist: bool) -> Token:
    _check_name(name, f"{VARIABLE}: name")
    if not isinstance(table, Mapping):
        raise _invalid(name, _NOT_SHOWN, "is no table", f"Write [{name}] above its fields. {_MAKE}")
    for field in table:
        if field not in _FIELDS:
            raise _invalid(f"{name}.{field}", _NOT_SHOWN, "is no field", f"There are: {', '.join(_FIELDS)}.")
    digest, write = table.get("sha256"), table.get("write", False)
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest.lower()):
        given = digest if digest is None else _NOT_SHOWN
        raise _invalid(f"{name}.sha256", given, "is not 64 hexadecimal digits", _MAKE)
    if not isinstance(write, bool):
        raise _invalid(f"{name}.write", write, "is neither true nor false", "Write true or false.")
    roots, toolsets = _strings(name, table, "roots"), _strings(name, table, "toolsets")
    return Token(
        name=name,
        sha256=digest.lower(),
        roots=None if roots is None else tuple(_root(name, root, roots_must_exist) for root in roots),
        toolsets=None if toolsets is None else frozenset(toolsets),
        write=write,
        expires=_expiry(name, table.get("expires")),
    )


def _invalid(entry: str, value: object, problem: str, remedy: str) -> InvalidInput:
    """The error for an entry of the file, or for its field."""
    return InvalidInput(f"{VARIABLE}: {entry}", value, problem, remedy)


def _check_name(name: str, field: str) -> None:
    if not _NAME.fullmatch(name):
        remedy = "Use at most 64 letters, digits, '.', '_' and '-', a letter or digit first."
        raise InvalidInput(field, name, "is no usable name", remedy)


def _strings(name: str, table: Mapping[str, Any], field: str) -> list[str] | None:
    value = table.get(field)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(part, str) and part for part in value):
        raise _invalid(f"{name}.{field}", value, "is no list of strings", f'Write {field} = ["…"].')
    return value


def _root(name: str, given: str, must_exist: bool) -> Path:
    root = Path(given)
    if not root.is_absolute() or "\0" in given or (must_exist and not root.is_dir()):
        raise _invalid(f"{name}.roots", given, "is no directory's absolute path", "Create it, or name another.")
    return Path(os.path.realpath(root))  # Path.resolve raises on a loop of links, which is no directory either


def _expiry(name: str, value: Any) -> datetime | None:
    """The moment from which the token is refused; for a date, the end of that day in UTC. None or 9999-12-31: never."""
    if value is None:
        return None
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value
    if isinstance(value, date) and not isinstance(value, datetime):
        return None if value == date.max else datetime.combine(value + timedelta(days=1), day_time(), UTC)
    raise _invalid(f"{name}.expires", str(value), "is no date or time with an offset", "Write 2027-01-31T12:00:00Z.")
