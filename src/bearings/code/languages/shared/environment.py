"""Finds uses of environment variables with a literal name: `os.environ["HOME"]`, `process.env.HOME`.

Few files have any, so they are found as text. A use counts where a captured node starts, which leaves out comments and
strings, and if its first name means the environment in its scope:

    from os import environ as env       env.get("HOME")     HOME, read
    def f(environ): …                   environ["HOME"]     none: a parameter hides the environment
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from bearings.code.expressions import root_of
from bearings.code.file_facts import CallSite
from bearings.code.framework_facts import EnvironmentUse
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.captures import Captures
from bearings.code.languages.shared.kinds import Bindings, Edges, Symbols
from bearings.code.languages.shared.origins import Origins
from bearings.code.models import EdgeKind

KEY = rb"""(?:[rRuUbB]?(?P<quote>["'`])(?P<key>[A-Za-z_][\w.()-]{0,199})(?P=quote)|(?P<constant>[A-Za-z_$][\w$]*))"""
"""A pattern for a variable's name: a literal, or a name that may be a constant."""
READ: Sequence[EdgeKind] = (Edges.READ,)
WRITE: Sequence[EdgeKind] = (Edges.WRITE,)
BOTH: Sequence[EdgeKind] = (Edges.READ, Edges.WRITE)

_BLANK = re.compile(rb"[\s?!]+")
_ASSIGNED = re.compile(rb"[ \t]*(?P<changed>\*\*|//|\|\||&&|\?\?|[-+*/%&|^])?=(?![=>])")
_DELETED = re.compile(rb"\bdel(?:ete)?\s+\Z")
_BEFORE = 16
"""The bytes before a use that may delete it."""
_NOT_NAMES = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'|\([^()]*\)|\[[^\[\]]*\]|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TAKEN = re.compile(rb"(?:\A|,)\s*(?P<name>[A-Za-z_$][\w$]*)\s*(?=[:=,]|\Z)")
"""A name that a pattern takes out of an object: `a`, `a: b` and `a = 1` in `{ a, a: b, a = 1 }`."""
LITERAL = re.compile(
    r"""(?:[^=\n]*[\s.])?(?P<name>[\w$]+)\s*(?::[^=\n]*|\s[\w.]+\s*)?=\s*["'`](?P<key>[\w.()-]+)["'`];?"""
)
"""The head of a constant with a literal value."""
_AFTER = 500
"""The bytes after a word of the environment in which a use ends."""
_MOST_ALIASES = 40
_VARIABLES = (Symbols.CONSTANT, Symbols.VARIABLE, Symbols.PROPERTY)
_OWNERS = (Symbols.MODULE, Symbols.CLASS)
_DEEPEST = 4
"""Variables that are followed from a name to the environment."""


class Rules(NamedTuple):
    """The environment of a language.

    A source without one of the texts of `signs` does not use it. `words` are the last names of the environment and its
    functions, `aliases` finds further ones around them, as its last group. `forms` are patterns of uses, with %b for
    the words, which start up to `before` bytes before a word. Their groups: `path` is what comes before the variable's
    name, which is KEY, a `member`, or one of the `names` of a pattern; `opened` and `closed` are the brackets around a
    KEY.

    `mappings` are indexed by a variable's name, `functions` are called with it; both are dotted names that start with a
    module or, where nothing binds it, with one of `globals`. `renames_locals`: in the facts, local variables have names
    of their own.
    """

    signs: tuple[bytes, ...]
    words: bytes
    aliases: re.Pattern[bytes]
    forms: tuple[bytes, ...]
    mappings: frozenset[str]
    functions: Mapping[str, Sequence[EdgeKind]]
    before: int = 250
    globals: frozenset[str] = frozenset()
    renames_locals: bool = False


class Written(NamedTuple):
    """What looks like a use: `path` starts at byte `start`, the variable's name, or a constant's, is at byte `at`."""

    start: int
    path: str
    name: str
    at: int
    kinds: Sequence[EdgeKind]
    called: bool
    is_constant: bool


def written(source: bytes, rules: Rules) -> list[Written]:
    """Return what looks like a use of a variable, in the order of the source."""
    if not any(sign in source for sign in rules.signs):
        return []
    words = rules.words
    windows = _windows(source, words, rules.before)
    others = {found[found.lastindex] for found in _matches(rules.aliases, source, windows) if found.lastindex}
    if others:
        words = b"|".join([words, *map(re.escape, sorted(others)[:_MOST_ALIASES])])
        windows = _windows(source, words, rules.before)
    forms = [_compiled(form.replace(b"%b", words)) for form in rules.forms]
    found = [one for form in forms for match in _matches(form, source, windows) for one in _of(match)]
    return sorted(found, key=lambda one: (one.start, one.at))


def _windows(source: bytes, words: bytes, before: int) -> list[tuple[int, int]]:
    """Return the spans of the source around its words, which are far apart: the forms take their time."""
    found: list[tuple[int, int]] = []
    for word in _compiled(rb"(?:" + words + rb")\b").finditer(source):
        start, end = max(0, word.start() - before), word.end() + _AFTER
        if found and start <= found[-1][1]:
            start = found.pop()[0]
        found.append((start, end))
    return found


def _matches(
    pattern: re.Pattern[bytes], source: bytes, windows: Sequence[tuple[int, int]]
) -> Iterator[re.Match[bytes]]:
    """Yield the matches inside some spans of a source."""
    for start, end in windows:
        yield from pattern.finditer(source, start, end)


_compiled = lru_cache(64)(re.compile)


def _of(match: re.Match[bytes]) -> Iterator[Written]:
    groups, start = match.groupdict(), match.start("path")
    path = _BLANK.sub(b"", groups["path"]).decode("utf-8", "replace")
    if groups.get("names") is not None:
        plain = _NOT_NAMES.sub(lambda other: b" " * len(other[0]), groups["names"])
        for taken in _TAKEN.finditer(plain):
            at = match.start("names") + taken.start("name")
            yield Written(start, path, taken["name"].decode(), at, READ, called=False, is_constant=False)
        return
    opened, closed = groups.get("opened"), groups.get("closed")
    if opened == b"[" and closed != b"]":
        return
    group = next(group for group in ("member", "key", "constant") if groups.get(group))
    name = groups[group].decode("utf-8", "replace")
    kinds = _kinds(match.string, start, match.end()) if start == match.start() else READ
    yield Written(start, path, name, start, kinds, called=opened == b"(", is_constant=group == "constant")


def _kinds(source: bytes, start: int, end: int) -> Sequence[EdgeKind]:
    """How the variable between two bytes is used."""
    assigned = _ASSIGNED.match(source, end)
    if assigned is not None:
        return BOTH if assigned["changed"] else WRITE
    return WRITE if _DELETED.search(source[max(0, start - _BEFORE) : start]) else READ


def environment_uses(
    builder: Builder,
    rules: Rules,
    captures: Captures,
    found: Sequence[Written],
    scopes: Iterable[int],
    values: Iterable[CallSite],
) -> tuple[EnvironmentUse, ...]:
    """Return the uses among what looks like one, each once, in the order of the source.

    `scopes` are the scopes of `found`, `values` the names that are used as values (see value_names). Call this only
    after all facts of the file are collected.
    """
    if not found:
        return ()
    uses = _Uses(builder, rules, _starts(captures, found), builder.uses if rules.renames_locals else values)
    return tuple(dict.fromkeys(use for one, scope in zip(found, scopes, strict=True) for use in uses.of(one, scope)))


def _starts(captures: Captures, found: Sequence[Written]) -> Collection[int]:
    """Return the bytes at which a call, a member, or a name that is a value starts."""
    starts = {start for name in ("call", "access") for start, _ in captures.spans(name)}
    roots = {one.path.partition(".")[0] for one in found}
    return starts.union(start for start, _ in captures.among("value", roots))


class _Uses:
    """Tells uses from what only looks like one."""

    def __init__(self, builder: Builder, rules: Rules, starts: Collection[int], values: Iterable[CallSite]) -> None:
        self._builder = builder
        self._rules = rules
        self._starts = starts
        self._values = {(use.line, use.callee) for use in values}
        self._origins = Origins(builder)
        self._variables = _variables(builder)
        self._times = Counter((row.scope, row.name) for row in builder.bindings)

    def of(self, one: Written, scope: int) -> Iterator[EnvironmentUse]:
        """Yield the uses of one place; none if it is no use."""
        builder = self._builder
        if one.start not in self._starts or self._is_hidden(one):
            return
        meaning = self._meaning(scope, one.path)
        kinds = self._rules.functions.get(meaning, ()) if one.called else one.kinds
        if not one.called and meaning not in self._rules.mappings:
            return
        name = self._literal(one) if one.is_constant else one.name
        line = builder.row(one.at) + 1
        for kind in kinds if name else ():
            yield EnvironmentUse(name, kind, line, self._user(builder.scopes[scope][2], line))

    def _user(self, owner: int, line: int) -> int:
        """Return the variable of a module or class whose value is on a line; the owner of the code for none or several.

        What uses a setting uses this variable, not its module.
        """
        rows = self._variables.get(owner, ())
        place = bisect_right(rows, line, key=itemgetter(0))
        near = [index for _, end, index in rows[max(0, place - 2) : place] if end >= line]
        return near[0] if len(near) == 1 else owner

    def _is_hidden(self, one: Written) -> bool:
        """Whether the callee has another name in the facts: a local variable of Go, which hides a package."""
        builder = self._builder
        site = builder.called_at(one.start) if one.called else None
        root = root_of(site.callee) if site is not None else None
        return type(root) is str and root != one.path.partition(".")[0]

    def _meaning(self, scope: int, path: str, depth: int = 0) -> str:
        """Return the dotted name that starts with a module or a global; empty if the first name means neither."""
        root, _, rest = path.partition(".")
        row = self._origins.row(scope, root)
        if row is None:
            return path if root in self._rules.globals else ""
        builder = self._builder
        if row.kind is Bindings.IMPORT:
            entry = builder.imports[row.target]
            if not entry.name and entry.module.startswith(f"{entry.local}."):  # `import os.path` binds `os`
                return path
            return self._origins.of(scope, path).name.removeprefix("node:")
        if self._times[row.scope, root] > 1 or row.kind is Bindings.PARAMETER or depth > _DEEPEST:
            return ""
        draft = builder.drafts[row.target] if row.kind is Bindings.SYMBOL else None
        value = row.value if draft is None else draft.value
        if draft is not None and root in self._rules.globals and value is None and "=" not in draft.signature:
            return path  # `declare const process: any`
        if type(value) is not str:
            return self._origins.of(scope, path).name.removeprefix("node:")
        return self._meaning(row.scope, f"{value}.{rest}" if rest else value, depth + 1)

    def _literal(self, one: Written) -> str:
        """Return the literal value of a constant of the module; empty if a name is none, or a local one."""
        builder = self._builder
        index = builder.members.get((0, one.name), 0)
        if not index or self._times[0, one.name] > 1 or (builder.row(one.at) + 1, one.name) not in self._values:
            return ""
        value = LITERAL.fullmatch(builder.drafts[index].signature)
        return value["key"] if value is not None and value["name"] == one.name else ""


def _variables(builder: Builder) -> dict[int, list[tuple[int, int, int]]]:
    """Return the first line, the last line and the index of each variable of a module or class, by line.

    Properties inside the value of another variable are left out.
    """
    found: dict[int, list[tuple[int, int, int]]] = {}
    rows = [(draft.line, draft.end_line, index) for index, draft in enumerate(builder.drafts)]
    for row in sorted(rows):
        line, _, index = row
        draft = builder.drafts[index]
        if draft.kind in _VARIABLES and builder.drafts[draft.parent].kind in _OWNERS:
            others = found.setdefault(draft.parent, [])
            if not others or not others[-1][0] < line <= others[-1][1]:
                others.append(row)
    return found
