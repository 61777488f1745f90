"""Extracts the JSON from a program's output, after progress lines and banners that may contain brackets."""

import json
import re
from typing import Any

from bearings.errors import BadOutput, shown

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_OPEN = re.compile(r"[\[{]")
_MAX_TRIES = 5_000
"""The number of brackets that may open no JSON. A banner has few; output with more is not meant for programs."""


def json_in(stdout: bytes, words: str) -> Any:
    """The JSON array or object at the end of the output, else the largest one in it. Raises BadOutput."""
    text = _ANSI.sub("", stdout.decode("utf-8", "replace").removeprefix("\ufeff"))
    decoder = json.JSONDecoder()
    best: tuple[int, Any] | None = None
    at = 0
    for _ in range(_MAX_TRIES):
        match = _OPEN.search(text, at)
        if match is None:
            break
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            at = match.end()
            continue
        if not text[end:].strip():
            return value
        if best is None or end - match.start() > best[0]:
            best = (end - match.start(), value)
        at = end
    if best is None:
        head = text.strip()[:120]
        raise BadOutput(
            f"coderef {words} printed no JSON{f': {shown(head)}' if head else ', and nothing else'}",
            "Run the same command by hand; the native engine needs no external coderef.",
        )
    return best[1]
