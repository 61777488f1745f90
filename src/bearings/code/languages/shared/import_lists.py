"""Import statements, and exports from modules, of the languages that list names in them, as text."""

import re
from collections.abc import Sequence

_COMMENT = re.compile(rb"#[^\n]*|//[^\n]*|/\*.*?\*/", re.DOTALL)
_BRACES = re.compile(rb"^([\w\s]*?)(?:([\w$]+)\s*,\s*)?\{([^{}]*)\}")
_WORDS = re.compile(rb"^(from\b.*?\bimport\b)\s*\(?([^()]*)\)?\s*$", re.DOTALL)


def entries_of(statement: bytes) -> list[bytes]:
    """The entries of a statement that has a list: `a` and `b as c` of `from m import a, b as c`, `d` of `d, { a }`."""
    plain = _COMMENT.sub(b"", statement)
    match = _BRACES.match(plain) or _WORDS.match(plain)
    listed = b",".join(filter(None, match.groups()[1:])) if match else b""
    return [entry for part in listed.split(b",") if (entry := part.strip())]


def with_entries(statement: bytes, entries: Sequence[bytes]) -> bytes:
    """The statement with other entries, on one line."""
    plain, listed = _COMMENT.sub(b"", statement), b", ".join(entries)
    if match := _BRACES.match(plain):
        return match[1] + b"{ " + listed + b" }" + plain[match.end() :]
    return _WORDS.sub(lambda match: match[1] + b" " + listed, plain)


def with_module(statement: bytes, old: str, new: str) -> bytes | None:
    """The statement with another module; None if it does not name the old one once, as modules are named."""
    named = re.compile(rb"(\bfrom\s*[\"']?|\(\s*[\"'`])%s(?=[\"'`\s])" % re.escape(old.encode()))
    changed, count = named.subn(lambda match: match[1] + new.encode(), statement)
    return changed if count == 1 else None
