"""Questions in words that another tool answers (sentences.toml): `unused functions`, `impact of total`."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from bearings.code.questions.explore.answer import NextCall

_LONGEST = 200


def call_of(text: str) -> NextCall | None:
    """The call that a question of several words, or a word for routes, is for; None for other texts."""
    line = " ".join(text.split())
    if len(line) > _LONGEST or not (" " in line or line.lower().startswith(("route", "endpoint"))):
        return None
    for form, row in _sentences():
        if match := form.fullmatch(line):
            named = {name: word.strip("`'\"?") for name, word in match.groupdict().items()}
            return NextCall(tool=row["tool"], arguments={**row.get("arguments", {}), **named}, why=row["why"])
    return None


@cache
def _sentences() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    table = tomllib.loads((files(__package__) / "sentences.toml").read_text("utf-8"))
    forms = [
        row["form"].replace("WHAT", table["WHAT"]).replace("ELEMENT", table["ELEMENT"]) for row in table["sentences"]
    ]
    patterns = [re.compile(rf"{table['asks']}(?:{form})[\s?.!]*", re.IGNORECASE) for form in forms]
    return list(zip(patterns, table["sentences"], strict=True))
