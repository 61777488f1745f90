"""Reads JSON with comments and trailing commas."""

import re
from typing import Any

from bearings import parsing

_COMMENTS = re.compile(r'"(?:\\.|[^"\\])*(?:"|\\?\Z)|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_COMMAS = re.compile(r'"(?:\\.|[^"\\])*(?:"|\\?\Z)|,(?=\s*[}\]])')
"""Unclosed text ends at the end of the file: searching for its end from every place would take quadratic time."""


def read_jsonc(source: bytes) -> dict[str, Any]:
    """A JSON object with comments and trailing commas; empty if the text is none."""
    text = source.decode("utf-8-sig", "replace")
    for dropped in (_COMMENTS, _COMMAS):
        text = dropped.sub(lambda found: found[0] if found[0].startswith('"') else "", text)
    try:
        content = parsing.from_json(text)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
