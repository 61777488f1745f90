"""A file's bytes as grammars want them: UTF-8, with line ends that everyone counts alike."""

import codecs
import re

from bearings.code.models import Language

_COOKIE = re.compile(rb"^[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
"""PEP 263's own expression."""
_BLANK = re.compile(rb"^[ \t\f]*(?:#[^\r\n]*)?$")
_LONE_CR = re.compile(rb"\r(?!\n)")
_GENERATED = re.compile(
    rb"@generated\b"
    rb"|\bgenerated\b.{0,200}\b(?:do not|don't|never) (?:edit|modify|change)\b"
    rb"|\b(?:do not|don't|never) (?:edit|modify|change)\b.{0,200}\bgenerated\b"
    rb"|\b(?:auto[- ]?|automatically |machine[- ])generated\b(?: (?:code|file|by|from|with|using)\b|[.!*,:;-])"
    rb"|^\W*generated (?:by|from|with|using)\b",
    re.DOTALL | re.MULTILINE,
)
_HEAD = 2_000
"""Where a generator says so, in bytes from the top."""
_COMMENT = re.compile(rb'^[ \t]*(?:#|//|/?\*|;|"""|\'\'\')')


def as_utf8(language: Language | None, source: bytes) -> bytes:
    """The same text in UTF-8 without a byte order mark, where a lone CR has become LF; so lines keep their numbers.

    Python's coding cookies (PEP 263) are obeyed. What an unknown codec would have meant is left as it is.
    """
    if source.startswith(codecs.BOM_UTF8):
        source = source[len(codecs.BOM_UTF8) :]
    elif language is Language.PYTHON:
        source = _recoded(source)
    if b"\r" in source:
        source = _LONE_CR.sub(b"\n", source)
    return source


def _recoded(source: bytes) -> bytes:
    """Python in UTF-8; unchanged without a cookie in its first two lines."""
    lines = re.split(rb"\r\n?|\n", source[:_HEAD], maxsplit=2)[:2] if b"coding" in source[:_HEAD] else []
    for line in lines:
        cookie = _COOKIE.match(line)
        if cookie is not None:
            return _decoded(source, cookie[1].decode("ascii", "replace"))
        if not _BLANK.match(line):
            break
    return source


def _decoded(source: bytes, encoding: str) -> bytes:
    try:
        name = codecs.lookup(encoding).name
        return source if name in ("utf-8", "ascii") else source.decode(name).encode("utf-8")
    except (LookupError, ValueError):  # no such codec, one that is not for text, or bytes that it can't read
        return source


def is_generated(source: bytes) -> bool:
    """Whether a comment near the top says that a program wrote the file."""
    head = source[:_HEAD].lower()
    if b"generated" not in head:
        return False
    comments = b"\n".join(line for line in head.splitlines() if _COMMENT.match(line))
    return _GENERATED.search(comments) is not None
