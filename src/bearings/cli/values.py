"""Turn the words of a command line into a tool's arguments. The tool validates the values."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bearings.cli.parameters import Parameter, Shape
from bearings.cli.streams import streams
from bearings.errors import InvalidInput

_NEGATIVE = re.compile(r"-\.?\d")
_MARK = "\0"
"""Stands before a negative number while click looks for options; no word of a command line can hold it."""


def guarded(words: Sequence[str]) -> list[str]:
    """The words with negative numbers marked, so that none is taken for an option."""
    return [_MARK + word if _NEGATIVE.match(word) else word for word in words]


def unguarded(word: str) -> str:
    """The word as typed."""
    return word.removeprefix(_MARK)


def argument(parameter: Parameter, words: Sequence[str], *, positional: bool) -> Any:
    """The value of `parameter` from `words`: one word, or several for lists and objects.

    JSON passes unchanged, because tools parse it. An option's words are also split at commas; positional ones are not,
    because a place's name may have commas. Raises InvalidInput for an object that is neither JSON nor pairs.
    """
    if parameter.shape not in (Shape.LIST, Shape.OBJECT):
        return words[-1]
    if len(words) == 1 and (words[0].lstrip()[:1] in ("[", "{") or (positional and parameter.may_be_text)):
        return words[0]
    if parameter.shape is Shape.OBJECT:
        return _mapping(parameter, words)
    return list(words) if positional else [part.strip() for word in words for part in word.split(",") if part.strip()]


def _mapping(parameter: Parameter, words: Sequence[str]) -> dict[str, str]:
    """`lat,lon` in the order of the model's keys if all are given, otherwise `key=value` pairs."""
    values: dict[str, str] = {}
    for word in words:
        parts = word.split(",")
        if all("=" in part for part in parts):
            pairs = parts
        elif "=" in word:
            pairs = [word]
        elif len(parts) == len(parameter.keys):
            pairs = [f"{key}={part}" for key, part in zip(parameter.keys, parts, strict=True)]
        else:
            raise InvalidInput(parameter.name, word, "is neither JSON nor key=value", _object_remedy(parameter))
        values.update((key.strip(), value.strip()) for key, _, value in (pair.partition("=") for pair in pairs))
    return values


def _object_remedy(parameter: Parameter) -> str:
    if parameter.keys == ("lat", "lon"):
        return f"Write {parameter.option} 40.01,-105.27"
    example = " ".join(f"{parameter.option} {key}=…" for key in parameter.keys[:2])
    return f"Write {example}; the keys are {', '.join(parameter.keys)}."


def absolute(field: str, word: str) -> str:
    """An absolute path. Raises InvalidInput if there is none."""
    try:
        return str((streams().directory / Path(word).expanduser()).absolute())
    except RuntimeError as error:
        raise InvalidInput(
            field, word, "names a home directory that does not exist", "Write the path without ~."
        ) from error
    except OSError as error:
        remedy = "Change to a directory that exists, or give an absolute path."
        raise InvalidInput(field, word, "is relative to a working directory that no longer exists", remedy) from error
