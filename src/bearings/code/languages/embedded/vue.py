"""Converts Vue's single-file components to TSX. `sheet.py` shows a component and its program."""

import re
from html import unescape

from bearings.code.languages.embedded.blocks import ATTRIBUTES, blank, scripts, without_comments
from bearings.code.languages.embedded.markup import attributes_in, tag_at
from bearings.code.languages.embedded.names import OPTIONS_NAME
from bearings.code.languages.embedded.sheet import IDENTIFIER, ProgramSheet, closing, component_name

_OPTIONS = re.compile(r"^[ \t]*export\s+default\s+(?=\{|defineComponent\s*\(\s*\{|Vue\.extend\s*\()", re.MULTILINE)
"""The default export of a component that is written as an object of options (Vue's Options API)."""

_GROUP = re.compile(r"\b(methods|computed)\s*:\s*\{")
"""A group of members in the options: `methods: {`."""

_MIXINS = re.compile(r"\bmixins\s*:\s*\[([\w$,\s]*)\]")
_OWN = re.compile(r"(?<![\w$.])this\.([A-Za-z_$][\w$]*)(?![\w$])")
_PROPS = re.compile(r"\bdefineProps\s*<([^{}()]{0,300})>\s*\(|\bdefine(?:Props|Model)\s*[<(]")
"""Where a component's properties are defined, and the type of them if it has a name: see frameworks/vue_props.py."""
_EMITS = re.compile(r"\bdefineEmits\s*[<(]|\bemits\s*:\s*[{\[]")
_EVENT = re.compile(r"(?<=\s)(?:@|v-on:)([A-Za-z][\w-]*)(?:\.[\w.-]+)?(?=[\s/=]|$)")
_LISTED = re.compile(r"\bprops\s*:\s*(?:(\{)|\[([^]]{0,1000})\])")
_SETUP = re.compile(r"\bsetup\s*\(\s*(?:\w+|\{[^{}]*\})(?=\s*[,)])")
_PROPERTY = re.compile(r"(?<=\s)(?:v-bind:|v-model:|:)?([a-z][\w-]*)(?:\.[\w.-]+)?(?=[\s/=]|$)")
_MEMBER = re.compile(r"(?<=[{,\s])(?:async\s+)?([A-Za-z_$][\w$]*)\s*(?=[(:])")
"""A member of a group, by the start of its definition: `save() {`, `async save() {`, `total: {`, `save: () =>`."""

_OPENING = re.compile(rf"<template\b{ATTRIBUTES}>", re.DOTALL)
_BUILTIN = frozenset("Component Fragment KeepAlive Slot Suspense Teleport Template Transition TransitionGroup".split())
_TAG = re.compile(r"<([A-Za-z][\w.-]*)")
_ATTRIBUTE = re.compile(r"""(?<=\s)(@|:|#|v-[a-z]+)([\w.:\[\]-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?""")
"""A directive: sign, argument, value in "" or in '': `@click="save"`, `:name`, `#item="row"`, `v-for='a of b'`."""

_MUSTACHE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_LOOP = re.compile(r"\s*(.*?)\s+(?:in|of)\s+(.*)", re.DOTALL)
_IS_STATEMENT = re.compile(r";|(?<![=!<>])=(?![=>])")
"""What makes an event's handler statements instead of an expression: a `;`, or an assignment (`open = true`)."""


def program(path: str, text: str) -> str:
    """Return the scripts of a component, and the code that its template uses."""
    sheet, codes, template_text = ProgramSheet(path, text), [], without_comments(text)
    props: list[str] = []
    for script in scripts(template_text):
        code, count = _OPTIONS.subn(f"const {OPTIONS_NAME} = ", script.code, count=1)
        sheet.members |= _members(code) if count else {}
        props += [typed[1] or "$props" for typed in _PROPS.finditer(code)]
        sheet.emits = sheet.emits or _EMITS.search(code) is not None
        props += ["$props"] if count and _LISTED.search(code) else []
        codes.append(code)
        sheet.script(text.count("\n", 0, script.at), _qualified(code, sheet.members) if count else code)
        script_text = template_text[script.start : script.end]  # blank() keeps the offsets of all other text
        template_text = template_text[: script.start] + blank(script_text) + template_text[script.end :]
    sheet.props = " & ".join(dict.fromkeys(" ".join(type_.split()) for type_ in props))
    opening, end = _OPENING.search(template_text), template_text.rfind("</template")
    if opening is not None and end >= opening.end():
        sheet.section(template_text.count("\n", 0, opening.start()), template_text.count("\n", 0, end))
        _Template(sheet, template_text, set(IDENTIFIER.findall("\n".join(codes)))).read(opening.end(), end)
    return sheet.program()


def _members(code: str) -> dict[str, str]:
    """Return the methods and computed properties of an object of options, by name, with their qualified names."""
    qualified = {}
    for group in _GROUP.finditer(code):
        end = closing(code, group.end() - 1, len(code))
        for member in _MEMBER.finditer(code, group.end(), max(end, group.end())):
            depth = code.count("{", group.end(), member.start()) - code.count("}", group.end(), member.start())
            if depth == 0:
                qualified[member[1]] = f"{OPTIONS_NAME}.{group[1]}.{member[1]}"
    return qualified


def _qualified(code: str, members: dict[str, str]) -> str:
    """Return a script whose groups have the members of its mixins, with qualified names for members of `this`.

    `$props` has the properties that the component takes: see frameworks/vue_props.py.
    """
    mixed = _MIXINS.search(code)
    names = IDENTIFIER.findall(mixed[1]) if mixed is not None else []
    code = _GROUP.sub(lambda group: group[0] + "".join(f"...{name}.{group[1]}," for name in names), code)
    listed = _LISTED.search(code)
    if listed is not None:
        code = _SETUP.sub(lambda setup: f"{setup[0]}: $props", code)
        text = listed[2] if listed[1] is None else code[listed.end() : closing(code, listed.end() - 1, len(code))]
        members = {**{name: f"$props.{name}" for name in IDENTIFIER.findall(text)}, **members}
    return _OWN.sub(lambda own: members.get(own[1], own[0]), code)


class _Template:
    """Adds the code in a template to the sheet; `known` are the identifiers in the component's scripts."""

    def __init__(self, sheet: ProgramSheet, text: str, known: set[str]) -> None:
        self._sheet = sheet
        self._text = text
        self._known = known
        self._end = 0  # of the last component's tag

    def read(self, start: int, end: int) -> None:
        """Add the components, directives and mustaches between two offsets, in the order of the source."""
        patterns = ((_TAG, self._tag), (_ATTRIBUTE, self._attribute), (_MUSTACHE, self._mustache))
        found = [(match.start(), add, match) for pattern, add in patterns
                 for match in pattern.finditer(self._text, start, end)]  # fmt: skip
        for _, add, match in sorted(found, key=lambda row: row[0]):
            add(match)

    def _row(self, at: int) -> int:
        return self._text.count("\n", 0, at)

    def _tag(self, match: re.Match[str]) -> None:
        """Add a component. `<user-card>` means UserCard; HTML's own tags have lower case and no hyphen."""
        name = match[1]
        is_dotted = "." in name and name.partition(".")[0] in self._known
        if "-" in name:
            name = component_name(f"{name}.vue")
        if is_dotted or ("." not in name and name[:1].isupper() and name not in _BUILTIN):
            bare, self._end = tag_at(self._text, match.end()) if match.start() >= self._end else ("", self._end)
            events = attributes_in(bare, _EVENT)
            events |= {_camel_case(event): row for event, row in events.items() if "-" in event}
            self._sheet.element(self._row(match.start()), name, _properties(bare), events)

    def _mustache(self, match: re.Match[str]) -> None:
        self._sheet.expression(self._row(match.start(1)), unescape(match[1]))

    def _attribute(self, match: re.Match[str]) -> None:
        sign, argument = match[1], match[2]
        group = 3 if match[3] is not None else 4
        value, row = match[group], self._row(match.start(group) if match[group] else match.start())
        directive = _camel_case(re.split("[.:]", sign + argument)[0])  # `v-focus` runs `vFocus`, if the script has it
        if directive in self._known:
            self._sheet.expression(row, directive)
        if sign in ("#", "v-slot"):
            self._sheet.bind(value or "")
        elif sign == "v-for" and (loop := _LOOP.fullmatch(unescape(value or ""))):
            self._sheet.bind(loop[1])
            self._sheet.expression(row, loop[2])
        elif value is None:
            if sign == ":" and re.fullmatch(r"[a-z]\w*", argument):
                self._sheet.expression(row, argument)  # `:name` for `:name="name"`
        elif sign in ("@", "v-on") and _IS_STATEMENT.search(value):
            self._sheet.statement(row, unescape(value))
        else:
            self._sheet.expression(row, unescape(value))


def _properties(bare: str) -> dict[str, int]:
    """Return the properties that a tag gives its component, as the component declares them: see attributes_in."""
    found = attributes_in(bare, _PROPERTY)
    rows = {"modelValue" if name == "v-model" else name: row for name, row in found.items()}
    return {_camel_case(name): row for name, row in rows.items() if not name.startswith("v-")}


def _camel_case(name: str) -> str:
    return re.sub(r"-+(\w)", lambda letter: letter[1].upper(), name)
