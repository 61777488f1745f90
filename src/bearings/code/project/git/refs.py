"""The name of a commit → an expression of object names that git can follow without refs."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from bearings.code.project.git.repository import Repository, read
from bearings.code.project.safe_directory import SafeDirectory

_MAX_PACKED = 64 * 1024 * 1024
_DEEPEST = 5
"""The longest chain of symbolic refs; git's limit."""

_NAME = re.compile(r"(?:@(?!\{)|[^\^~:@])+")
_STEPS = re.compile(r"(?:\^\d*|~\d*|\^\{(?:commit|tag)?\})*")
_WHOLE = {"sha1": re.compile(r"[0-9a-f]{40}"), "sha256": re.compile(r"[0-9a-f]{64}")}
_SHORT = re.compile(r"(?:.*-g)?([0-9a-f]{7,64})", re.DOTALL)
"""An abbreviated object name, also at the end of what `git describe` prints.

git accepts four digits and prints seven; all names of four digits could be enumerated.
"""

_PLAIN = re.compile(r"(?!/)(?!.*(?:/\.|\.\.|//|\.lock(?:/|$)|@\{))[^\x00-\x20\x7f~^:?*\[\\]+(?<![/.])")
"""Names that git-check-ref-format allows."""

_PLACES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
"""The places of a short name, in the order of gitrevisions(7)."""


_SHORTENED = re.compile(r"refs/(?:heads|tags|remotes)/(.+)")


class Unreadable(Exception):
    """A ref that can't be read; the message says why."""


def expression(repository: Repository, given: str) -> str | None:
    """A name such as `main~2` in terms of object names; None if it names no commit. Raises Unreadable.

    Supported are names of refs and objects, also abbreviated, `@`, and the steps `~n`, `^n`, `^{commit}`.
    """
    named = _NAME.match(given)
    name = named[0] if named else ""
    steps = given[len(name) :]
    if not name or not _STEPS.fullmatch(steps):
        return None
    name = "HEAD" if name == "@" else name
    commit = name if _WHOLE[repository.format].fullmatch(name) else _ref(repository, name)
    short = _SHORT.fullmatch(name)
    start = commit or (short[1] if short else None)
    return f"{start}{steps}" if start else None


def names(repository: Repository, most: int) -> list[str]:
    """The short names of branches and tags, at most `most` of each kind of storage; none of reftables."""
    short_names: dict[str, None] = {}
    for line in _packed(repository).split(b"\n"):
        short = _SHORTENED.fullmatch(line.partition(b" ")[2].decode("utf-8", "replace"))
        if short and len(short_names) < most:
            short_names[short[1]] = None
    pending = ["refs/heads", "refs/tags", "refs/remotes"]
    with SafeDirectory(repository.common) as tree:
        while pending and len(short_names) < 2 * most:
            folder = pending.pop()
            with suppress(OSError, ValueError), tree.scan(folder) as entries:
                for entry in islice(entries, most):
                    path = f"{folder}/{entry.name}"
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(path)
                    elif short := _SHORTENED.fullmatch(path):
                        short_names[short[1]] = None
    return list(short_names)


def _ref(repository: Repository, name: str) -> str | None:
    """The object of a ref by its short or full name."""
    if not _PLAIN.fullmatch(name):
        return None
    if repository.reftable:
        raise Unreadable("its refs are stored in tables (reftable), which are not read")
    packed = _packed(repository)
    for place in _PLACES:
        whole = place.format(name)
        if (whole.startswith("refs/") or whole.isupper()) and (commit := _followed(repository, whole, packed)):
            return commit
    return None


def _followed(repository: Repository, name: str, packed: bytes) -> str | None:
    """The object that a ref leads to."""
    for _ in range(_DEEPEST):
        text = next(_texts(repository, name, packed), "").strip()
        if _WHOLE[repository.format].fullmatch(text):
            return text
        if not text.startswith("ref:"):
            return None
        name = text[4:].strip()
        if not _PLAIN.fullmatch(name):
            return None
    return None


def _texts(repository: Repository, name: str, packed: bytes) -> Iterator[str]:
    """The content of a ref, from its own file or the packed refs. A linked worktree has its own HEAD."""
    for directory in dict.fromkeys((repository.directory, repository.common)):
        loose = read(directory, name, 10_000)
        if loose is not None:
            yield loose.decode("utf-8", "surrogateescape")
    end = packed.find(b" " + name.encode("utf-8", "surrogateescape") + b"\n")
    if end > 0:
        yield packed[packed.rfind(b"\n", 0, end) + 1 : end].decode("ascii", "replace")


def _packed(repository: Repository) -> bytes:
    data = read(repository.common, "packed-refs", _MAX_PACKED)
    return data if data is not None and data.endswith(b"\n") else (data or b"") + b"\n"
