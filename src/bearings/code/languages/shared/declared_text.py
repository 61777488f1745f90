"""How languages by declaration write names, calls, imports and documentation, read off the source."""

import re

from bearings.code.languages.shared.declared_rules import Rules

_SEPARATOR = re.compile(r"::?|\\|\.")
_OPERATOR = re.compile(r"\boperator(?![\w$])(.*)$|\boperator\s+([\w:<>*& ]+)$", re.DOTALL)
_SIGNS = re.compile(r"[^\w\s(){};,\"'$@`]+").fullmatch
"""An operator that is declared by its sign."""
_NAME = re.compile(r"~?[^\W\d][\w$]*[?!=]?|[^\w\s(){};,\"'$@`]+").fullmatch
_GENERIC = re.compile(r"<[^<>]*>")
_CALLEE = re.compile(r"(?:(?P<of>\w+)(?:(?:::)?<[^<>]*>|\(\))?(?:::|->|\s*[?!&]*\.\s*))?(?P<name>[^\W\d]\w*[?!]?)$")
_BEFORE = 160
"""Bytes before a callee's name in which what qualifies it is looked for."""
_QUALIFIED = (b".", b":", b">")
"""What stands between a name and what qualifies it ends so."""
_ENDS = (b";", b"{", b"}")
_LONGEST = 200
"""Characters of a name that is kept."""

_LONGEST_LINE = 400
"""Bytes of a line that may be an attribute."""
_OTHER_CODE = frozenset(b"{};(,")
"""What stands before a declaration on its line if a comment above is another one's."""

_BLOCK_LINE = re.compile(r"^\s*\*?\s?")
_TAG = re.compile(r"\s*[@\\][a-zA-Z]+\b")
_MARKUP = re.compile(r"</?(?:summary|remarks|para|p|code|c)\s*/?>|<see\s+cref=\"([^\"]*)\"\s*/?>")


def name_parts(text: str) -> list[str]:
    """A declared name in its parts, `Shop<T>::add` as `Shop`, `add`; empty for what is no name."""
    if text.isidentifier():
        return [text] if len(text) <= _LONGEST else []
    if text.startswith("`"):
        quoted = " ".join(text.strip("`").replace(".", "_").split())
        return [quoted] if 0 < len(quoted) <= _LONGEST else []
    operator = _OPERATOR.search(text)
    last = [f"operator{''.join(operator[1].split()).replace('.', '')}"] if operator is not None else []
    text = text[: operator.start()] if operator is not None else text
    while text != (text := _GENERIC.sub("", text)):
        pass
    parts = ["".join(part.split()).lstrip("$@") for part in _SEPARATOR.split(text)] if not _SIGNS(text) else [text]
    parts = [part for part in parts if part] + last
    return parts if all(map(_NAME, parts[: len(parts) - len(last)])) and sum(map(len, parts)) <= _LONGEST else []


def callee_at(source: bytes, start: int, end: int) -> str:
    """What is called by the name that ends at a byte: that name, after what qualifies it where that is a plain name."""
    before = source[max(0, start - _BEFORE) : start]
    if before.rstrip()[-1:] not in _QUALIFIED:  # the search takes ten times as long
        before = b""
    ended = max(before.rfind(sign) for sign in _ENDS)
    found = _CALLEE.search((before[ended + 1 :] + source[start:end]).decode("utf-8", "replace"))
    if found is None:
        return ""
    return f"{found['of']}.{found['name']}" if found["of"] else found["name"]


def last_name(text: str) -> str:
    """A name as it is used, without what qualifies it."""
    return (name_parts(text) or [""])[-1]


def expanded(text: str) -> list[tuple[str, str]]:
    """Each module that an import names, `a::{b, c as d}` naming two, and what it is called here."""
    text = " ".join(text.split())
    if len(parts := _split(text)) > 1:
        return [one for part in parts for one in expanded(part)]
    if "{" not in text or not text.endswith("}"):
        module, _, alias = text.partition(" as ")
        if module[:1] in "\"'<":
            return [(module.strip("\"'"), "")] if len(module) > 2 else []
        module = module.strip()
        return [(module, alias.strip() or re.split(r"::|[./\\]", module)[-1])] if module else []
    head, _, inside = text.partition("{")
    found: list[tuple[str, str]] = []
    for part in _split(inside[:-1]):
        found += [(head.strip() + module, local) for module, local in expanded(part)]
    return [(module.removesuffix("::self"), local) for module, local in found]


def _split(text: str) -> list[str]:
    """A list at its own commas, without those in braces inside."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


class Comments:
    """The documentation of one file's declarations."""

    def __init__(self, source: bytes, rules: Rules) -> None:
        self._source = source
        self._lines = tuple(sign.encode() for sign in rules.line_docs)
        self._blocks = tuple(sign.encode() for sign in rules.block_docs)
        self._annotation = re.compile(rules.attributes.encode()) if rules.attributes else None

    def above(self, start: int) -> str:
        """The first paragraph of the comment that ends right above a declaration, on one line; empty for none."""
        source = self._source
        end = source.rfind(b"\n", 0, start) + 1
        before = source[end:start].rstrip()
        if before.endswith(b"*/"):
            return self._block(end + len(before))
        if not _OTHER_CODE.isdisjoint(before):
            return ""
        while end > 0:
            line = source[source.rfind(b"\n", 0, end - 1) + 1 : end].strip()
            if line.endswith(b"*/"):
                return self._block(source.rfind(b"*/", 0, end) + 2)
            if self._annotation is None or len(line) > _LONGEST_LINE or self._annotation.fullmatch(line) is None:
                return self._run(end)
            end = source.rfind(b"\n", 0, end - 1) + 1
        return ""

    def _block(self, end: int) -> str:
        opening = self._source.rfind(b"/*", 0, end - 2)
        if opening < 0 or not self._source.startswith(self._blocks, opening):
            return ""
        lines = self._source[opening + 2 : end - 2].decode("utf-8", "replace").lstrip("*!").split("\n")
        return paragraph([_BLOCK_LINE.sub("", line) for line in lines])

    def _run(self, end: int) -> str:
        """The lines above that begin as documentation does."""
        found: list[str] = []
        line = end - 1
        while line > 0:
            before = self._source.rfind(b"\n", 0, line)
            text = self._source[before + 1 : line].strip()
            sign = next((sign for sign in self._lines if text.startswith(sign)), None)
            if sign is None:
                break
            found.append(text.removeprefix(sign).decode("utf-8", "replace"))
            line = before
        return paragraph(found[::-1])


def paragraph(lines: list[str]) -> str:
    """The first paragraph of a comment on one line, without markup, up to the first tag (`@param`)."""
    kept: list[str] = []
    for line in lines:
        text = _MARKUP.sub(r"\1", line)
        if _TAG.match(text) or (kept and not text.strip()):
            if kept:
                break
            continue
        kept += text.split()
    return " ".join(kept)
