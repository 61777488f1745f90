"""Reads what the inline templates of Angular's components use of their class, and the pipes by their classes' names.

`(click)="save(item)"` calls `save`; `[title]="name"`, `{{ name | shout }}` and `@if (open)` read members; `| shout` is
a use of the imported class ShoutPipe.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.file_facts import CallSite
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges

_EXPRESSION = re.compile(
    r"""[\s"'](?:\([\w.@:-]+\)|\[\(?[\w.@:-]+\)?\]|\*\w+)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)')"""
    r"""|\{\{(?P<text>[^{}]*)\}\}|@(?:if|for|switch|case|else\s+if)\s*\((?P<block>[^{@]*)\)|@let\s(?P<value>[^;@]*);"""
)
_LOCAL = re.compile(r"\blet[\s-]\s*([\w$]+)|#([\w$]+)|@for\s*\(\s*([\w$]+)\s+of\b|\bas\s+([\w$]+)")
_NAME = re.compile(r"(?<![\w$.])(?:this\.)?([A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*)\s*(\()?")
_PIPE = re.compile(r"(?<!\|)\|\s*([A-Za-z]\w*)")
_NO_NAMES = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|[{,]\s*[\w$]+\s*:|\b(?:typeof|void|in|index|trackBy)\b""")
"""Texts, keys of objects, and words of the syntax."""
_WORDS = frozenset(
    "$event $index $count $first $last $even $odd true false null undefined of track let as else".split()
)


def template_uses(builder: Builder, owner: str, text: Node) -> None:
    """Add the uses in the template of a class at the top of the file."""
    index = builder.members.get((0, owner), -1)
    scope = builder.drafts[index].inner if index >= 0 else -1
    if scope < 0:
        return
    written, line = builder.text(text), builder.line(text)
    local = {name for found in _LOCAL.finditer(written) for name in found.groups() if name}
    for start, expression in _expressions(written):
        for found in _PIPE.finditer(expression):
            pipe, at = f"{found[1][:1].upper()}{found[1][1:]}Pipe", line + written.count("\n", 0, start + found.start())
            if (0, pipe) in builder.bound:
                builder.uses.append(CallSite(Edges.JSX, pipe, at, scope))
        for found in _NAME.finditer(_PIPE.sub(_blank, expression)):
            name, at = found[1].replace("?", ""), line + written.count("\n", 0, start + found.start())
            if name.partition(".")[0] in local or name in _WORDS:
                continue
            use = CallSite(Edges.CALL if found[2] else Edges.READ, f"this.{name}", at, scope)
            if found[2]:
                builder.uses.append(use)
            else:
                builder.accesses.setdefault((at, use.kind, use.callee), use)


def _expressions(template: str) -> Iterator[tuple[int, str]]:
    """Yield the expressions in a template with their offsets, blank where they have no names."""
    for found in _EXPRESSION.finditer(template):
        group = found.lastgroup
        if group is not None:
            yield found.start(group), _NO_NAMES.sub(_blank, found[group])


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
