"""`ProgramSheet`: collects scripts and pieces of a template as one program, each on its original line.

The template of `Cart.vue`                   becomes, on the same rows,

    <template>                               ;export default function Cart(){<div/>;
      <button @click="save()">Save</button>  ;(save());
    </template>                              }

`<div/>` marks the function as a component.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter

_EXPORTED = re.compile(r"^[ \t]*export\s+default\b|\bas\s+default\b", re.MULTILINE)
_MOST_PIECES = 20_000
_NONE: Mapping[str, int] = {}
_WORD = re.compile(r"[A-Za-z0-9]+")
IDENTIFIER = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")


@dataclass
class Section:
    """A section of a template between two scripts: its rows, from 0, and its pieces of code with their rows."""

    first: int
    last: int
    pieces: list[tuple[int, str]] = field(default_factory=list)


class ProgramSheet:
    """Collects a file's program. Rows count from 0."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._rows = [""] * (text.count("\n") + 1)
        self._scripts: list[str] = []
        self._sections: list[Section] = []
        self.members: dict[str, str] = {}
        """Members of the options that the template may use by name → qualified name: `save` → `options.methods.save`.
        """
        self.props = ""
        """The type of the component's properties; empty if it is unknown."""
        self.emits = False
        """Whether the component's events are known."""
        self.locals: dict[str, None] = {}
        """Names that the template binds: loop variables, slot properties."""

    def script(self, row: int, code: str) -> None:
        """Add a script as it is."""
        self._scripts.append(code)
        self._put(row, f"{code};" if code.strip() and "\n" not in code else code)

    def section(self, first: int, last: int) -> None:
        """Start a section of the template, to which the next pieces belong."""
        self._sections.append(Section(first, last))

    def statement(self, row: int, code: str) -> None:
        """Add code of the template as statements."""
        section = self._sections[-1]
        if len(section.pieces) < _MOST_PIECES and is_balanced(code):
            section.pieces.append((row, f";{code};"))

    def expression(self, row: int, code: str) -> None:
        """Add code of the template as an expression."""
        lead = len(code) - len(code.lstrip())
        row, code = row + code[:lead].count("\n"), code.strip()
        if code and is_balanced(code):
            self.statement(row, f"({code})")

    def element(self, row: int, name: str, attributes: Mapping[str, int], events: Mapping[str, int] = _NONE) -> None:
        """Add a component that the template renders, with its attributes: their names, and how many rows below it is.

        `<Cart:_ size/>` gives an attribute to a component that another row renders, `<Cart:on save/>` a handler.
        """
        by_row: dict[int, list[str]] = {0: [name]}
        for attribute, below in attributes.items():
            by_row.setdefault(0 if "." in name else below, [f"{name}:_"]).append(attribute)
        for below, parts in by_row.items():
            self.statement(row + below, f"<{' '.join(parts)}/>")
        for event, below in events.items() if "." not in name else ():
            self.statement(row + below, f"<{name}:on {event}/>")

    def bind(self, pattern: str) -> None:
        """Declare the names in a pattern as local variables of the template."""
        self.locals.update(dict.fromkeys(IDENTIFIER.findall(pattern)))

    def program(self) -> str:
        """Return the program. The section with the most pieces is the component's body; the others are plain blocks."""
        name = component_name(self._path)
        is_exported = any(_EXPORTED.search(script) for script in self._scripts)
        taken = [f"$props: {self.props or 'unknown'}"] if self.props or self.emits else []
        taken += ["$emits: $emits"] if self.emits else []
        head = f"{'' if is_exported else 'export default '}function {name}({', '.join(taken)})"
        longest = max(self._sections, key=lambda one: (len(one.pieces), one.last - one.first), default=None)
        for section in self._sections:
            is_body = section is longest
            self._put(section.first, f";{head}{{" if is_body else ";{")
            self._put(section.first, self._local_declarations())
            self._put(section.first, "<div/>;")  # a function that renders is a component
            for row, code in sorted(section.pieces, key=itemgetter(0)):  # a piece may end in the row of the next one
                self._put(row, self._with_qualified_members(code))
            self._put(section.last, "}")
        if longest is None and not is_exported:
            self._put(len(self._rows) - 1, f";{head}{{<div/>}}")
        return "\n".join(self._rows)

    def _local_declarations(self) -> str:
        names = [name for name in self.locals if name not in _KEYWORDS]
        return f"let {','.join(names)};" if names else ""

    def _with_qualified_members(self, code: str) -> str:
        """Qualify the members of the options in code. A method that an event names alone is called, as Vue does."""
        if not self.members or code[1] == "<":
            return code
        if code[2:-2] in self.members:
            return f"{code[:2]}{self.members[code[2:-2]]}());"
        return IDENTIFIER.sub(lambda found: self.members.get(found[0], found[0]), code)

    def _put(self, row: int, code: str) -> None:
        for offset, line in enumerate(code.split("\n")):
            self._rows[min(row + offset, len(self._rows) - 1)] += line


_KEYWORDS = frozenset(
    "as async await break case catch class const continue default delete do else export extends false finally for "
    "function if import in instanceof let new null of return super switch this throw true try typeof undefined var "
    "void while with yield".split()
)


def component_name(path: str) -> str:
    """Return a component's name by its file: `user-card.vue` → UserCard, `+page.svelte` → Page, `[id].astro` → Id."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    name = "".join(word[:1].upper() + word[1:] for word in _WORD.findall(stem))
    return name if name[:1].isalpha() else f"Component{name}"


_PAIRS = {")": "(", "]": "[", "}": "{"}


def is_balanced(code: str) -> bool:
    """Whether all brackets and strings in code are closed, so that it can stand between other code.

    Code with a comment counts as unbalanced, because the comment could hide later code.
    """
    opened: list[str] = []
    at = 0
    while at < len(code):
        letter = code[at]
        if letter in "\"'`":
            end = after_string(code, at)
            if end == at + 1:
                return False
            at = end
            continue
        if letter in "([{":
            opened.append(letter)
        elif code.startswith(("//", "/*"), at) or (letter in _PAIRS and (not opened or opened.pop() != _PAIRS[letter])):
            return False
        at += 1
    return not opened


def after_string(code: str, at: int) -> int:
    """Return the end of the string that starts at a quote; the byte after the quote if its line doesn't end it."""
    quote, place = code[at], at + 1
    while place < len(code):
        if code[place] == "\\":
            place += 2
            continue
        if code[place] == quote:
            return place + 1
        if code[place] == "\n" and quote != "`":
            break
        place += 1
    return at + 1


def closing(text: str, at: int, end: int) -> int:
    """Return the offset of the brace that closes the one at `at`; -1 if it isn't closed before `end`."""
    depth, place = 0, at
    while place < end:
        letter = text[place]
        if letter in "\"'`":
            place = after_string(text, place)
            continue
        depth += (letter == "{") - (letter == "}")
        if depth == 0:
            return place
        place += 1
    return -1
