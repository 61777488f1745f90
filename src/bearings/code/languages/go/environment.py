"""The environment in Go: the functions of `os` and `syscall`."""

import re

from bearings.code.languages.shared.environment import KEY, READ, WRITE, Rules

_FUNCTIONS = {"Getenv": READ, "LookupEnv": READ, "Setenv": WRITE, "Unsetenv": WRITE}

RULES = Rules(
    signs=(b"etenv(", b"LookupEnv("),
    words="|".join(_FUNCTIONS).encode(),
    aliases=re.compile(rb"(?!)"),
    forms=(rb"(?<![\w.])(?P<path>\w+\s*\.\s*(?:%b))\s*(?P<opened>\()\s*" + KEY + rb"\s*(?P<closed>[),])",),
    mappings=frozenset(),
    functions={
        **{f"os.{name}": how for name, how in _FUNCTIONS.items()},
        **{f"syscall.{name}": how for name, how in _FUNCTIONS.items() if name != "LookupEnv"},
    },
    renames_locals=True,
)
"""See Rules."""
