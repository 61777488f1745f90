"""Warns about metadata that is well-formed but breaks a convention: an unknown status or scope, an invalid date."""

import difflib
from collections.abc import Iterator
from dataclasses import replace

from bearings.code.notation.model import DATE, CodeRef, Meta, Problem

STATUSES = ("active", "deprecated", "experimental", "legacy", "stable")
SCOPES = ("internal", "public", "private", "protected")
_DATE_KEYS = frozenset({"date", "created", "updated", "modified", "expires", "since", "reviewed", "deprecated_at"})


def unusual(ref: CodeRef, meta: Meta, offset: int) -> Iterator[Problem]:
    """Yield warnings about one entry of the metadata at `offset`."""
    for key, allowed in (("status", STATUSES), ("scope", SCOPES)):
        if meta.key == key and meta.value not in allowed:
            near = difflib.get_close_matches(str(meta.value).lower(), allowed, 1, 0.5)
            suggestion = _with(ref, meta, near[0]) if near else ""
            yield Problem(f"unknown_{key}", f"{key} must be one of {', '.join(allowed)}", offset, suggestion, "warning")
    text = meta.value
    if isinstance(text, str) and (DATE.fullmatch(text) or meta.key in _DATE_KEYS):
        message = f"{meta.key}: {text[:40]} is not a date such as 2024-01-31"
        yield Problem("bad_date", message, offset, "", "warning")


def _with(ref: CodeRef, old: Meta, value: str) -> str:
    metadata = tuple(replace(meta, value=value) if meta is old else meta for meta in ref.metadata)
    return str(replace(ref, metadata=metadata))
