r"""Parse a grep in a shell's command: `rg -n "save\(" src | head`, `cd app && git grep -w save`. Nothing is run.

Only plain commands are understood: one grep, after at most one `cd`, before pipes and redirections. Commands with
other shell features (variables, substitutions, loops, a second command) are ignored.
"""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MAX_COMMAND = 4_000

_LETTERS = {  # short options that take a value, in the program's own order of letters
    "grep": "ABCDdefm",
    "rg": "ABCEMTdefgjmrt",
    "ag": "ABCGWgmp",
    "git": "ABCOefm",
}
_LONG = frozenset(
    {
        "--after-context", "--before-context", "--binary-files", "--color", "--colors", "--colour", "--context",
        "--context-separator", "--depth", "--directories", "--encoding", "--engine", "--exclude", "--exclude-dir",
        "--field-match-separator", "--file", "--file-search-regex", "--glob", "--iglob", "--ignore", "--ignore-file",
        "--include", "--label", "--max-columns", "--max-count", "--max-depth", "--max-filesize", "--path-separator",
        "--pre", "--pre-glob", "--replace", "--regexp", "--sort", "--sortr", "--threads", "--type", "--type-add",
        "--type-not",
    }
)  # fmt: skip
_PROGRAMS = {"grep": "grep", "egrep": "grep", "fgrep": "grep", "rg": "rg", "ripgrep": "rg", "ag": "ag"}
_INVERTED = frozenset({"--invert-match", "--files-without-match", "--files", "--type-list"})
_LITERAL = frozenset({"--fixed-strings", "--literal"})
_PIPES = frozenset({"|", "|&"})


@dataclass(frozen=True, slots=True)
class Grep:
    """The pattern and paths of a grep. `folder` is its directory as written, "" for the shell's."""

    pattern: str
    paths: tuple[str, ...] = ()
    folder: str = ""
    literal: bool = False


def grep_in(command: str) -> Grep | None:
    """The grep that a command is; None for other commands."""
    if len(command) > MAX_COMMAND or any(sign in command for sign in ("`", "$(", "<(", "${", "\0")):
        return None
    words = _words(command.strip())
    if words is None:
        return None
    folder = ""
    if len(words) > 3 and words[0] == "cd" and words[2] == "&&":
        folder, words = words[1], words[3:]
    return _grep(words, folder) if words else None


def _words(command: str) -> list[str] | None:
    """The words up to the first pipe, without redirections; None if there is more than a `cd` before it."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters, lexer.whitespace = True, "", " \t"
    try:
        words = list(lexer)
    except ValueError:
        return None
    bare: list[str] = []
    piped = False
    rest = iter(words)
    for at, word in enumerate(rest):  # `cd app && rg save 2>/dev/null | head`: only `cd app && rg save` remains
        if not word or not set(word) <= set("();<>|&"):
            if not piped:
                bare.append(word)
        elif word in _PIPES:
            piped = True
        elif set(word) & set("<>"):
            next(rest, None)
            if bare and not piped and bare[-1] in ("0", "1", "2"):
                bare.pop()  # the 2 in `2>`
        elif word == "&&" and at == 2 and bare[0] == "cd":
            bare.append(word)
        else:
            return None
    return None if any("\n" in word for word in bare) else bare


def _grep(words: list[str], folder: str) -> Grep | None:
    program = words[0].rpartition("/")[2]
    rest = words[1:]
    if program == "git":
        if rest[:1] == ["-C"] and len(rest) > 2:
            folder, rest = (rest[1] if not folder or rest[1].startswith("/") else f"{folder}/{rest[1]}"), rest[2:]
        if rest[:1] == ["--no-pager"]:
            rest = rest[1:]
        if rest[:1] != ["grep"]:
            return None
        return _searched("git", rest[1:], folder, literal=False)
    if program not in _PROGRAMS:
        return None
    return _searched(_PROGRAMS[program], rest, folder, literal=program == "fgrep")


def _searched(program: str, words: Sequence[str], folder: str, *, literal: bool) -> Grep | None:
    """The search that the words after a program's name ask for."""
    patterns: list[str] = []
    plain: list[str] = []
    for name, value in _options(words, _LETTERS[program]):
        if name in _INVERTED or name in ("-v", "-L", "-f", "--file"):
            return None
        literal = literal or name in _LITERAL or name == "-F" or (program == "ag" and name == "-Q")
        if name in ("-e", "--regexp"):
            patterns.append(value)
        elif not name:
            plain.append(value)
    if not patterns and plain:
        patterns.append(plain.pop(0))
    return Grep(patterns[0], tuple(plain), folder, literal) if len(patterns) == 1 else None


def _options(words: Sequence[str], letters: str) -> Iterator[tuple[str, str]]:
    """Options with their values, "" for none, and other words without a name."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            yield from (("", other) for other in rest)
        elif word.startswith("--"):
            name, joined, value = word.partition("=")
            yield name, value if joined or name not in _LONG else next(rest, "")
        elif word.startswith("-") and len(word) > 1:
            yield from _short(word[1:], letters, rest)
        else:
            yield "", word


def _short(word: str, letters: str, rest: Iterator[str]) -> Iterator[tuple[str, str]]:
    for at, letter in enumerate(word):
        if letter in letters:
            yield f"-{letter}", word[at + 1 :] or next(rest, "")
            return
        yield f"-{letter}", ""
