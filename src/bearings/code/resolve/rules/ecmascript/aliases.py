"""Path aliases in the form of tsconfig's `paths`, whichever tool defines them.

patterns("@", "src")             # {"@": ("src",), "@/*": ("src/*",)}
expanded("^@/(.*)$", "src/$1")   # {"@/*": ("src/*",)}
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, product
from posixpath import join, normpath
from typing import NamedTuple, TypeVar

_Value = TypeVar("_Value")

_MOST_PATTERNS = 64
"""The most patterns for one regular expression: `(a|b)(c|d)` stands for four."""
_TOKEN = re.compile(
    r"""
      (?P<star>\(?\.[*+]\??\)?)                             # .*  .+  .*?  (.*)
    | (?P<slash>\[(?:/\\\\|\\\\/|\\/)\])                    # [\\/]  [/\\]  [\/]
    | (?P<choice>\((?:\?:)?(?P<words>[\w@~$/|-]+)\))        # (app|lib)  (?:app|lib)
    | \\(?P<escaped>[^\w])                                  # \.  \/  \$
    | (?P<plain>[\w@~\#/:!,=&\ -])                          # a  @  /
    | (?P<end>\$$)                                          # $ at the end
    """,
    re.VERBOSE,
)
_STAR: tuple[str, ...] = ("*",)
"""The choices of `.*`."""
_END: tuple[str, ...] = ("",)
"""The choices of `$`, which can only be last."""


class _Part(NamedTuple):
    """A part of a regular expression: the texts that it may stand for, and whether `$1`, `$2` … count it."""

    choices: tuple[str, ...]
    is_captured: bool


@dataclass(frozen=True, slots=True)
class Aliases:
    """The aliases of one configuration; all paths are relative to the project.

    `paths`: patterns with at most one `*` → targets. `roots`: folders in which names that fit no pattern are searched.
    `merged_folders`: folders whose files import each other as if they were in one (`rootDirs`).
    """

    roots: tuple[str, ...] = ()
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    merged_folders: tuple[str, ...] = ()

    def targets_for(self, specifier: str) -> list[str]:
        """The possible paths of a specifier, best first, without added extensions."""
        targets, fill = best_of(self.paths, specifier)
        if targets is None:
            return [normpath(join(root, specifier)) for root in self.roots]
        return [normpath(target.replace("*", fill)) for target in targets]

    def in_merged_folders(self, path: str) -> Iterator[str]:
        """The other paths at which a relative import of `path` may find its file: made/cart for src/cart."""
        for folder in self.merged_folders:
            if not folder or path.startswith(f"{folder}/"):
                rest = path[len(folder) :].lstrip("/")
                yield from (normpath(join(other, rest)) for other in self.merged_folders if other != folder)


def best_of(table: Mapping[str, _Value], name: str) -> tuple[_Value | None, str]:
    """The value of the pattern that a name fits, and the text that stands for `*`; None and "" if it fits none.

    Of several patterns, the one with the longest text before its `*`: "@/ui/*" before "@/*".
    """
    best: tuple[int, _Value | None, str] = (-1, None, "")
    for pattern, value in table.items():
        head, star, tail = pattern.partition("*")
        fits = name.startswith(head) and name.endswith(tail) if star else name == pattern
        if fits and len(name) >= len(head) + len(tail) and len(head) > best[0]:
            best = len(head), value, name[len(head) : len(name) - len(tail)] if star else ""
    return best[1:]


def patterns(alias: str, target: str) -> dict[str, tuple[str, ...]]:
    """The patterns of an alias that stands for `target`, and for the paths below it; `name$` stands for it alone."""
    if "*" in alias:
        return {alias: (target,)}
    if alias.endswith("$") and alias != "$":
        return {alias[:-1]: (target,)}
    if alias.endswith("/"):
        return {f"{alias}*": (join(target, "*"),)}
    return {alias: (target,), f"{alias}/*": (join(target, "*"),)}


def expanded(expression: str, target: str) -> dict[str, tuple[str, ...]]:
    """The patterns of a regular expression that consists of names, choices of names, and one `.*`; else none.

    "^(?:a|b)/(.*)$", "src/$1" gives {"a/*": ("src/*",), "b/*": ("src/*",)}: only groups that capture are numbered. The
    expression is parsed, never run: an expression of the project may take any time.
    """
    parts = _parts(expression.removeprefix("^"))
    if not parts:
        return {}
    # `^@/`, without `.*` and `$`, fits all longer names: what follows goes to the end of the target.
    is_open = parts[-1].choices != _END and not any(part.choices == _STAR for part in parts)
    by_pattern: dict[str, tuple[str, ...]] = {}
    for texts in islice(product(*(part.choices for part in parts)), _MOST_PATTERNS):
        filled = target
        captured = [text for text, part in zip(texts, parts, strict=True) if part.is_captured]
        for number, text in enumerate(captured, 1):
            filled = filled.replace(f"${number}", text)
        pattern = "".join(texts)
        by_pattern[f"{pattern}*" if is_open else pattern] = (f"{filled}*" if is_open else filled,)
    return by_pattern


def _parts(expression: str) -> list[_Part] | None:
    """The parts of an expression; None if it has any other syntax than `_TOKEN` matches, or a second `.*`."""
    parts: list[_Part] = []
    position = 0
    while position < len(expression):
        token = _TOKEN.match(expression, position)
        if token is None or (token["star"] and any(part.choices == _STAR for part in parts)):
            return None
        choices: tuple[str, ...]
        if token["star"]:
            choices = _STAR
        elif token["choice"]:
            choices = tuple(token["words"].split("|"))
        elif token["end"]:
            choices = _END
        else:
            choices = ("/" if token["slash"] else token["escaped"] or token["plain"],)
        parts.append(_Part(choices, token[0].startswith("(") and not token[0].startswith("(?:")))
        position = token.end()
    return parts
