"""Records requests with a literal URL: the part that all languages have in common."""

import re

from bearings.code.framework_facts import Request
from bearings.code.languages.shared.builder import Builder

HOLE = "{}"
"""Stands for an expression in a URL."""
_URL = re.compile(r"(?:https?:)?//(?P<host>[^/]*)(?P<path>.*)")
_OWN_HOST = re.compile(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|[\w-]+)?(?::[\d{}]+)?")
"""Hosts that a project serves itself: the machine's own, and names without a dot, as test clients use them."""
_QUERY = re.compile(r"(?<=[a-z])\{\}$")
"""An expression right behind a word, at the end: `/carts${search}`."""
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST = 500


def add_request(builder: Builder, method: str, url: str, line: int, scope: int, *, sure: bool, by: str = "") -> None:
    """Add a request, unless its URL leads to another host or has no literal segment. `by` is as in Request."""
    path = _path(_QUERY.sub("", url))
    if path:
        builder.requests.append(Request(method, path, line, scope, sure and not _QUERY.search(url), by))


def _path(url: str) -> str:
    """Return the path of a URL, as in Request; empty for none."""
    url = re.split(r"[?#]", url[:_LONGEST], maxsplit=1)[0]
    found = _URL.fullmatch(url)
    if found is not None:
        if not _OWN_HOST.fullmatch(found["host"]) and not found["host"].startswith(HOLE):
            return ""
        url = found["path"]
    is_whole = url.startswith("/") and not (found is not None and found["host"].startswith(HOLE))
    if not is_whole and not url.startswith((HOLE, "/")):
        return ""
    base, _, rest = url.partition("/")
    segments = [HOLE if HOLE in segment else segment for segment in (url if is_whole else rest).split("/") if segment]
    if (not is_whole and base not in ("", HOLE)) or not any(map(_LETTER.search, segments)):
        return ""
    return ("/" if is_whole else "") + "/".join(segments)
