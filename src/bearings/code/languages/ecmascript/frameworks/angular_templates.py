"""Reads what the templates of Angular's components use of their class, and inline the pipes by their classes' names.

`(click)="save(item)"` calls `save`; `[title]="name"`, `{{ name | shout }}` and `@if (open)` read members; `| shout` is
a use of the imported class ShoutPipe.
"""

import re
from collections.abc import Collection, Iterator

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
    local = _locals(written)
    for above, expression in _expressions(written):
        for row, found in _by_line(_PIPE, expression):
            pipe = f"{found[1][:1].upper()}{found[1][1:]}Pipe"
            if (0, pipe) in builder.bound:
                builder.uses.append(CallSite(Edges.JSX, pipe, line + above + row, scope))
        for name, row, is_called in _names(expression, local):
            use = CallSite(Edges.CALL if is_called else Edges.READ, f"this.{name}", line + above + row, scope)
            if is_called:
                builder.uses.append(use)
            else:
                builder.accesses.setdefault((use.line, use.kind, use.callee), use)


def names_in(template: str) -> Iterator[tuple[str, int, bool]]:
    """Yield the members of a class that a template in a file of its own names, with lines and whether it calls them."""
    local = _locals(template)
    for above, expression in _expressions(template):
        for name, row, is_called in _names(expression, local):
            yield name, 1 + above + row, is_called


def _locals(template: str) -> set[str]:
    return {name for found in _LOCAL.finditer(template) for name in found.groups() if name}


def _names(expression: str, local: Collection[str]) -> Iterator[tuple[str, int, bool]]:
    """Yield the names in an expression with the lines above them, and whether each is called."""
    for row, found in _by_line(_NAME, _PIPE.sub(_blank, expression)):
        name = found[1].replace("?", "")
        if name.partition(".")[0] not in local and name not in _WORDS:
            yield name, row, found[2] is not None


def _expressions(template: str) -> Iterator[tuple[int, str]]:
    """Yield the expressions in a template with the lines above them, blank where they have no names."""
    for row, found in _by_line(_EXPRESSION, template):
        group = found.lastgroup
        if group is not None:
            above = row + template.count("\n", found.start(), found.start(group))
            yield above, _NO_NAMES.sub(_blank, found[group])


def _by_line(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield what a pattern finds with the number of lines above each; one pass, as a template may be large."""
    row = end = 0
    for found in pattern.finditer(text):
        row, end = row + text.count("\n", end, found.start()), found.start()
        yield row, found


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])
