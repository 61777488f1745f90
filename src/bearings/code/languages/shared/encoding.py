"""Normalizes a file's bytes for the grammars (UTF-8, uniform line ends), and detects generated files."""

import codecs
import re

from bearings.code.languages import SPECS
from bearings.code.models import Language

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
"""Bytes at the top of a file that are searched for a generator's notice."""
_COMMENT = re.compile(rb'^[ \t]*(?:#|//|/?\*|;|"""|\'\'\')')


def as_utf8(language: Language | None, source: bytes) -> bytes:
    """Return a source in UTF-8, without a byte order mark and with LF for each lone CR, so that line numbers stay.

    Languages whose sources declare their encoding are decoded by it. A source in an unknown encoding stays as it is.
    """
    if source.startswith(codecs.BOM_UTF8):
        source = source[len(codecs.BOM_UTF8) :]
    elif language is not None and (decode := SPECS[language].decode) is not None:
        source = decode(source)
    if b"\r" in source:
        source = _LONE_CR.sub(b"\n", source)
    return source


def is_generated(source: bytes) -> bool:
    """Whether a comment near the top says that a program wrote the file."""
    head = source[:_HEAD].lower()
    if b"generated" not in head:
        return False
    comments = b"\n".join(line for line in head.splitlines() if _COMMENT.match(line))
    return _GENERATED.search(comments) is not None
