"""Uses of environment variables in declared languages, by their text: `System.getenv("HOME")`, `ENV["HOME"]`.

See environment.py. Names are not resolved: a use counts where a captured name starts, which leaves out comments and
strings. Its user is the innermost definition around its line.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from bearings.code.framework_facts import EnvironmentUse
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.captures import Captures
from bearings.code.languages.shared.environment import KEY, LITERAL, READ, WRITE, Rules, Written
from bearings.code.models import EdgeKind

_METHODS = rb"fetch|get|getValue|getOrDefault|GetValue|key\?|has_key\?|include\?|dig|delete"
_CAPTURES = ("call", "reference", "environment")


@lru_cache
def by_text(reads: str, writes: str, mappings: str) -> Rules:
    """Return the rules of a language: names of functions and of mappings, with what stands before them."""
    functions = dict.fromkeys(reads.split(), READ) | dict.fromkeys(writes.split(), WRITE)
    known = [*functions, *mappings.split()]
    last = {name: re.split(r"::|\.", name)[-1] for name in known}
    paths = [
        re.sub(rb"\\\.|::", rb"\\s*\g<0>\\s*", re.escape(name[: -len(last[name])]).encode())
        + b"(?P<path>" + re.escape(last[name]).encode() + b")"
        for name in known
    ]  # fmt: skip
    return Rules(
        signs=tuple(name.encode() for name in last.values()),
        words="|".join(map(re.escape, dict.fromkeys(last.values()))).encode(),
        aliases=re.compile(rb"(?!)"),
        forms=tuple(
            rb"(?<![\w$])" + path + use + KEY + rb"\s*(?P<closed>[\]),]|$)?"
            for path in paths
            for use in (
                rb"!?\s*(?P<opened>\()\s*",
                rb"\s*\??(?P<opened>\[)\s*",
                rb"(?:\s*\(\s*\))?\s*\??(?:\[|\.\s*(?:" + _METHODS + rb")(?:<[\w?.]+>)?[ (])\s*",
            )
        ),
        mappings=frozenset(last.values()),
        functions={last[name]: kinds for name, kinds in functions.items()},
    )


def uses_by_text(
    builder: Builder, rules: Rules, captures: Captures, found: Sequence[Written]
) -> tuple[EnvironmentUse, ...]:
    """Return the uses among what looks like one, each once, in the order of the source."""
    if not found:
        return ()
    starts = {start for name in _CAPTURES for start, _ in captures.spans(name)}
    uses = []
    for one in found:
        kinds: Sequence[EdgeKind] = rules.functions.get(one.path, ()) if one.called else one.kinds
        name = _literal(builder, one.name) if one.is_constant else one.name
        if name and one.start in starts:
            line = builder.row(one.at) + 1
            uses += [EnvironmentUse(name, kind, line, _user(builder, line)) for kind in kinds]
    return tuple(dict.fromkeys(uses))


def _user(builder: Builder, line: int) -> int:
    """Return the innermost definition around a line; the module for none."""
    around = [
        (draft.end_line - draft.line, -index)
        for index, draft in enumerate(builder.drafts)
        if draft.line <= line <= draft.end_line
    ]
    return -min(around)[1] if around else 0


def _literal(builder: Builder, name: str) -> str:
    """Return the value of the one constant of a name in the file; empty for none."""
    heads = [draft.signature for draft in builder.drafts if draft.name == name]
    found = LITERAL.fullmatch(heads[0]) if len(heads) == 1 else None
    return found["key"] if found is not None and found["name"] == name else ""
