"""A list of repositories: one a line, a path or a URL, with a name in front if it should have another one.

../web                                    a folder, relative to the list
https://example.org/team/shop.git
billing = ssh://git@example.org/team/billing
git@example.org:team/mail.git             # the short form of ssh
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from bearings.errors import InvalidInput
from bearings.regular import read_regular

MOST_BYTES = 4_000_000

_NAMED = re.compile(r"(?P<name>[\w@][\w.@+-]*(?:/[\w@][\w.@+-]*)*)\s+=\s+(?P<place>\S.*)")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")
_HELPER = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*::")
_SHORT = re.compile(r"(?P<user>[\w.][\w.+-]*@)(?P<host>[\w.][\w.-]*):(?P<path>[^/\s:][^\s]*)")
"""ssh's short form, only with a user: `C:/work` is a path."""

_SCHEMES = frozenset({"https", "ssh", "file"})
_NOT_IN_NAMES = re.compile(r"[^\w.@+-]+")


@dataclass(frozen=True, slots=True)
class Source:
    """A repository of the list. `place` is an absolute path, or a URL if it `is_url`; `problem` says what it lacks."""

    name: str
    place: str
    is_url: bool = False
    problem: str = ""


def read_sources(path: Path) -> list[Source]:
    """The repositories of a list in a file. Raises InvalidInput."""
    try:
        data = read_regular(path, MOST_BYTES)[0]
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InvalidInput("repos", str(path), f"can't be read ({error.strerror})", "Name a text file.") from error
    except UnicodeDecodeError as error:
        raise InvalidInput("repos", str(path), "is no text in UTF-8", "Name a text file.") from error
    if len(data) > MOST_BYTES:
        raise InvalidInput("repos", str(path), "is too large for a list", "Name a text file.")
    return sources(text, path.absolute().parent)


def sources(text: str, folder: Path) -> list[Source]:
    """The repositories of a list; relative paths start from `folder`. Raises InvalidInput for two of one name."""
    listed: list[Source] = []
    taken: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        line = _COMMENT.sub("", line).strip()
        if not line:
            continue
        named = _NAMED.fullmatch(line)
        source = _source(named["place"] if named else line, folder)
        if named:
            if named["name"] in taken:
                raise InvalidInput("repos", line, f"line {number} has a name that is taken", "Give each its own name.")
            source = replace(source, name=named["name"])
        else:
            source = replace(source, name=next(one for one in _free(source.name) if one not in taken))
        taken.add(source.name)
        listed.append(source)
    return listed


def _free(name: str) -> Iterator[str]:
    """A name, then the same with numbers."""
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _source(place: str, folder: Path) -> Source:
    problem = "" if place.isprintable() else "has control characters"
    url = _URL.match(place)
    if url or _HELPER.match(place):
        return Source(_name(place), place, True, problem or _problem(place, url["scheme"].lower() if url else ""))
    if place.startswith("-"):
        return Source(_name(place), place, True, "begins with -")
    if _SHORT.fullmatch(place):
        return Source(_name(place), place, True, problem)
    path = os.path.normpath(os.path.join(folder, os.path.expanduser(place)))  # noqa: PTH111, PTH118 - raise nothing
    return Source(_name(path), path, False, problem)


def _problem(place: str, scheme: str) -> str:
    """Why a URL is not fetched; empty if it is."""
    if scheme not in _SCHEMES:
        return "is no https, ssh or file URL"
    try:
        parts = urlsplit(place)
        host = parts.hostname or ""
    except ValueError:
        return "is no URL"
    if scheme == "file":
        return "" if host in ("", "localhost") and parts.path else "is no file URL of this machine"
    return "" if host and not host.startswith("-") and (parts.username or "")[:1] != "-" else "names no host"


def _name(place: str) -> str:
    """The last part of a place, in characters that stay as they are in replies."""
    last = re.split(r"[/\\:]", place.rstrip("/\\"))[-1].removesuffix(".git")
    return _NOT_IN_NAMES.sub("-", last).strip("-.+") or "repository"
