"""Hints in the words of the command line: a tool's name becomes its command, a call with arguments a line to type.

coderef_query {"query_type": "calls-me", "element": "login"}   →   bearings code query login --type calls-me
"""

import json
import re
import shlex
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from bearings.cli.spelling import Spelling
from bearings.reply import Reply

_HINTS = ("note", "hint")


def spoken(text: str) -> str:
    """The text with commands in place of tools."""

    def typed(match: re.Match[str]) -> str:
        try:
            return command(match[1], json.loads(match[2] or "{}"))
        except ValueError:
            return match[0]

    names = "|".join(sorted(_commands(), key=len, reverse=True))
    return re.sub(rf"\b({names})\b(?: (\{{[^{{}}\n]*\}}))?", typed, text) if "_" in text else text


def in_commands(reply: Reply) -> Reply:
    """The reply with commands in its hints and in the calls that it suggests."""
    changes: dict[str, Any] = {name: spoken(text) for name in _HINTS if (text := getattr(reply, name, None))}
    if calls := getattr(reply, "next", None):
        changes["next"] = [replace(call, tool=command(call.tool, call.arguments), arguments={}) for call in calls]
        changes["understood_as"] = spoken(getattr(reply, "understood_as", ""))
    return replace(reply, **changes) if changes else reply


def command(tool: str, arguments: Mapping[str, Any]) -> str:
    """The line that calls a tool with these arguments."""
    wing, name, spelling = _commands()[tool]
    words = ["bearings", wing, name]
    for positional in spelling.positional:
        value = arguments.get(positional, [])
        words += value if isinstance(value, list) else [str(value)]
    for argument in [name for name in arguments if name not in spelling.positional]:
        words += [spelling.aliases.get(argument, (f"--{argument.replace('_', '-')}",))[0], str(arguments[argument])]
    return shlex.join(words)


@cache
def _commands() -> Mapping[str, tuple[str, str, Spelling]]:
    """The command of each tool that takes all of its arguments."""
    from bearings.cli import code_spellings, place_spellings

    return {
        spelling.tool: (wing, name, spelling)
        for wing, spellings in (("places", place_spellings.SPELLINGS), ("code", code_spellings.SPELLINGS))
        for name, spelling in spellings.items()
        if not spelling.always_sites
    }
