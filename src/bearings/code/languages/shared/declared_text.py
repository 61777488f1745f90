"""Reads names, callees, imports and documentation comments of declared languages from the text of the source."""

import re

from bearings.code.languages.shared.declared_rules import Rules

_SEPARATOR = re.compile(r"::?|\\|\.")
_OPERATOR = re.compile(r"\boperator(?![\w$])(.*)$|\boperator\s+([\w:<>*& ]+)$", re.DOTALL)
_SIGNS = re.compile(r"[^\w\s(){};,\"'$@`]+").fullmatch
"""An operator declared by its symbol, such as `+`."""
_NAME = re.compile(r"~?[^\W\d][\w$]*[?!=]?|[^\w\s(){};,\"'$@`]+").fullmatch
_GENERIC = re.compile(r"<[^<>]*>")
_CALLEE = re.compile(
    r"""
    (?P<name>[?!]?\w*[^\W\d])        # add, or Ruby's `save!`
    (?:
        (?P<sign> :: | >- | \s*\.(?!\.)[?!&]*\s*)  # Shop::add, shop->add, shop.add, shop?.add
        (?: >[^<>]*<(?:::)? | \)\( )?  # type arguments or an empty call between: Shop::<T>::add, shop().add
        (?P<qualifier>\w+ (?: (?: :: | >- | \.[?!]* ) \w+ ){0,9} )?
    )?
    """,
    re.VERBOSE,
)
"""A callee, matched in reversed text: `dda.pohs`. The qualifier's start is unknown, but its end is known."""

_PART = re.compile(r"\w+")
_QUALIFIER_BYTES = 160
"""Bytes before a callee's name that are searched for its qualifier."""
_QUALIFIER_ENDS = (b".", b":", b">")
"""Last characters of the separators between a qualifier and a name."""
_STATEMENT_ENDS = (b";", b"{", b"}")
_LONGEST = 200
"""The most characters of a stored name."""

_LONGEST_LINE = 400
"""The most bytes of a line that may be an attribute."""
_MOST_BLANKS = 400
"""Bytes before a declaration in which its block comment ends."""
_OTHER_CODE = frozenset(b"{};(,")
"""If one of these stands before a declaration on its line, the comment above documents another declaration."""

_BLOCK_LINE = re.compile(r"^\s*\*?\s?")
"""The start of a line inside a block comment: ` * `."""
_TAG = re.compile(r"\s*[@\\][a-zA-Z]+\b")
"""A tag of Javadoc (`@param`) or Doxygen (`\\param`), which ends the description."""
_MARKUP = re.compile(r"</?(?:summary|remarks|para|p|code|c)\s*/?>|<see\s+cref=\"([^\"]*)\"\s*/?>")
"""Elements of C#'s XML comments; `<see cref="Shop"/>` becomes `Shop`."""


def name_parts(text: str) -> list[str]:
    """Split a declared name into its parts: `Shop<T>::add` → `Shop`, `add`. The result is empty if it is no name."""
    if text.isidentifier():
        return [text] if len(text) <= _LONGEST else []
    if text.startswith("`"):  # Kotlin and Swift: `adds an item`; a dot would look like a qualifier
        quoted = " ".join(text.strip("`").replace(".", "_").split())
        return [quoted] if 0 < len(quoted) <= _LONGEST else []
    operator = _OPERATOR.search(text)  # C++ and C#: `operator==`, `operator bool`
    last = [f"operator{''.join(operator[1].split()).replace('.', '')}"] if operator is not None else []
    text = text[: operator.start()] if operator is not None else text
    while text != (text := _GENERIC.sub("", text)):  # innermost first: A<B<C>> → A<B> → A
        pass
    # PHP declares `$name`, Ruby `@name`; an operator such as Swift's `..<` has no parts.
    parts = ["".join(part.split()).lstrip("$@") for part in _SEPARATOR.split(text)] if not _SIGNS(text) else [text]
    parts = [part for part in parts if part] + last
    return parts if all(map(_NAME, parts[: len(parts) - len(last)])) and sum(map(len, parts)) <= _LONGEST else []


def callee_at(source: bytes, start: int, end: int) -> str:
    """Return the callee whose name has this span, with its receiver if that is of plain names: `shop.add` or `add`.

    For any other receiver it is `.add`.
    """
    before = source[max(0, start - _QUALIFIER_BYTES) : start]
    if before.rstrip()[-1:] not in _QUALIFIER_ENDS:  # skips a search that takes ten times as long as this test
        before = b""
    statement_end = max(before.rfind(sign) for sign in _STATEMENT_ENDS)
    found = _CALLEE.match((before[statement_end + 1 :] + source[start:end]).decode("utf-8", "replace")[::-1])
    if found is None:
        return ""
    name, sign, qualifier = found.group("name", "sign", "qualifier")
    if not sign or (sign == "::" and not qualifier):
        return name[::-1]
    return f"{'.'.join(_PART.findall((qualifier or '')[::-1]))}.{name[::-1]}"


def last_name(text: str) -> str:
    """Return a used name without its qualifier."""
    return (name_parts(text) or [""])[-1]


def imported_modules(text: str) -> list[tuple[str, str]]:
    """Return each module of an import and its local name: `a::{b, c as d}` → (a::b, b), (a::c, d)."""
    text = " ".join(text.split())
    if len(parts := _split(text)) > 1:
        return [module for part in parts for module in imported_modules(part)]
    if "{" not in text or not text.endswith("}"):
        module, _, alias = text.partition(" as ")
        if module[:1] in "\"'<":  # a path, as in C's "shop.h" and <stdio.h>, binds no name; nor does an empty text
            return [(module.strip("\"'"), "")] if len(module) > 2 else []
        module = module.strip()
        return [(module, alias.strip() or re.split(r"::|[./\\]", module)[-1])] if module else []
    head, _, inside = text.partition("{")
    found: list[tuple[str, str]] = []
    for part in _split(inside[:-1]):
        found += [(head.strip() + module, local) for module, local in imported_modules(part)]
    return [(module.removesuffix("::self"), local) for module, local in found]


def _split(text: str) -> list[str]:
    """Split a list at the commas outside braces."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


class Comments:
    """Finds the documentation comments of one file's declarations."""

    def __init__(self, source: bytes, rules: Rules) -> None:
        self._source = source
        self._line_docs = tuple(sign.encode() for sign in rules.line_docs)
        self._block_docs = tuple(sign.encode() for sign in rules.block_docs)
        self._annotation = re.compile(rules.attributes.encode()) if rules.attributes else None

    def above(self, start: int) -> str:
        """Return the first paragraph of the comment right above a declaration, on one line; empty for none."""
        source = self._source
        line_start = source.rfind(b"\n", 0, start) + 1
        before = source[line_start:start].rstrip()
        if before.endswith(b"*/"):
            return self._block(line_start + len(before))
        if not _OTHER_CODE.isdisjoint(before):
            return ""
        while line_start > 0:  # skip the annotations between the comment and the declaration
            line = source[source.rfind(b"\n", 0, line_start - 1) + 1 : line_start].strip()
            if line.endswith(b"*/"):
                return self._block(source.rfind(b"*/", 0, line_start) + 2)
            if self._annotation is None or len(line) > _LONGEST_LINE or self._annotation.fullmatch(line) is None:
                return self._lines_above(line_start)
            line_start = source.rfind(b"\n", 0, line_start - 1) + 1
        return ""

    def block_above(self, start: int) -> str:
        """Return the lines of the block comment right above a declaration, without stars; empty for none."""
        end = len(self._source[max(0, start - _MOST_BLANKS) : start].rstrip()) + max(0, start - _MOST_BLANKS)
        return "\n".join(self._block_lines(end)) if self._source.endswith(b"*/", 0, end) else ""

    def _block(self, end: int) -> str:
        return paragraph(self._block_lines(end))

    def _block_lines(self, end: int) -> list[str]:
        opening = self._source.rfind(b"/*", 0, end - 2)
        if opening < 0 or not self._source.startswith(self._block_docs, opening):
            return []
        lines = self._source[opening + 2 : end - 2].decode("utf-8", "replace").lstrip("*!").split("\n")
        return [_BLOCK_LINE.sub("", line) for line in lines]

    def _lines_above(self, end: int) -> str:
        """Return the first paragraph of the run of documentation lines that ends at a byte."""
        found: list[str] = []
        line = end - 1
        while line > 0:
            before = self._source.rfind(b"\n", 0, line)
            text = self._source[before + 1 : line].strip()
            sign = next((sign for sign in self._line_docs if text.startswith(sign)), None)
            if sign is None:
                break
            found.append(text.removeprefix(sign).decode("utf-8", "replace"))
            line = before
        return paragraph(found[::-1])


def paragraph(lines: list[str]) -> str:
    """Return the first paragraph of a comment on one line, without markup, up to the first tag (`@param`)."""
    words: list[str] = []
    for line in lines:
        text = _MARKUP.sub(r"\1", line)
        if _TAG.match(text) or (words and not text.strip()):
            if words:
                break
            continue
        words += text.split()
    return " ".join(words)
