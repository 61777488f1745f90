"""The environment in Python: `os.environ`, `os.getenv` and their likes."""

import re

from bearings.code.languages.shared.environment import BOTH, KEY, READ, WRITE, Rules

_WORDS = rb"environb?|getenvb?|putenv|unsetenv"
_PATH = rb"(?P<path>(?:\w+\s*\.\s*)?(?:%b)"
_METHODS = {"get": READ, "pop": BOTH, "setdefault": BOTH}

RULES = Rules(
    signs=(b"environ", b"getenv", b"putenv", b"unsetenv"),
    words=_WORDS,
    aliases=re.compile(
        rb"\b(?:" + _WORDS + rb")\s+as\s+(\w+)|\b(\w+)\s*(?::[^=\n]{0,80})?=\s*(?:\w+\s*\.\s*)?environb?\b(?!\s*[.\[(])"
    ),
    forms=(
        rb"(?<![\w.])" + _PATH + rb"(?:\s*\.\s*(?:get|pop|setdefault))?)"
        rb"\s*(?P<opened>[\[(])\s*(?:key\s*=\s*)?" + KEY + rb"\s*(?P<closed>[\]),])",
        rb"(?<![\w.])" + KEY + rb"\s+(?:not\s+)?in\s+" + _PATH + rb")(?!\w|\s*[.\[(])",
    ),
    mappings=frozenset({"os.environ", "os.environb"}),
    functions={
        **{f"os.{mapping}.{method}": how for mapping in ("environ", "environb") for method, how in _METHODS.items()},
        "os.getenv": READ,
        "os.getenvb": READ,
        "os.putenv": WRITE,
        "os.unsetenv": WRITE,
    },
)
"""See Rules."""
