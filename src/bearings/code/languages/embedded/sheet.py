"""The program of a file in the making: scripts and pieces of a template, each on its own line."""

import re
from dataclasses import dataclass, field

_EXPORTED = re.compile(r"^[ \t]*export\s+default\b|\bas\s+default\b", re.MULTILINE)
_MOST_PIECES = 20_000
_WORD = re.compile(r"[A-Za-z0-9]+")
IDENTIFIER = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")


@dataclass
class Stretch:
    """A run of a template between two scripts: its rows, from 0, and its pieces of code with theirs."""

    first: int
    last: int
    pieces: list[tuple[int, str]] = field(default_factory=list)


class Sheet:
    """Collects a file's program. Rows count from 0."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._rows = [""] * (text.count("\n") + 1)
        self._scripts: list[str] = []
        self._stretches: list[Stretch] = []
        self.members: dict[str, str] = {}
        """What the template calls by its name alone, with its whole name: `save` → `options.methods.save`."""
        self.locals: dict[str, None] = {}
        """Names that the template itself binds: loop variables, slots' properties."""

    def script(self, row: int, code: str) -> None:
        """A script as it stands."""
        self._scripts.append(code)
        self._put(row, f"{code};" if code.strip() and "\n" not in code else code)

    def stretch(self, first: int, last: int) -> None:
        """The pieces that follow are of the template on these rows."""
        self._stretches.append(Stretch(first, last))

    def statement(self, row: int, code: str) -> None:
        """A piece of code of the template, as statements."""
        stretch = self._stretches[-1]
        if len(stretch.pieces) < _MOST_PIECES and is_sound(code):
            stretch.pieces.append((row, f";{code};"))

    def expression(self, row: int, code: str) -> None:
        """A piece of code of the template, as an expression."""
        lead = len(code) - len(code.lstrip())
        row, code = row + code[:lead].count("\n"), code.strip()
        if code and is_sound(code):
            self.statement(row, f"({code})")

    def element(self, row: int, name: str) -> None:
        """A component that the template renders."""
        self.statement(row, f"<{name}/>")

    def bind(self, pattern: str) -> None:
        """The names in a pattern are the template's own."""
        self.locals.update(dict.fromkeys(IDENTIFIER.findall(pattern)))

    def program(self) -> str:
        """The whole. The longest stretch of the template is the body of the component; the others stand beside it."""
        name = component_name(self._path)
        is_exported = any(_EXPORTED.search(script) for script in self._scripts)
        head = f"{'' if is_exported else 'export default '}function {name}()"
        longest = max(self._stretches, key=lambda one: (len(one.pieces), one.last - one.first), default=None)
        for stretch in self._stretches:
            is_body = stretch is longest
            self._put(stretch.first, f";{head}{{" if is_body else ";{")
            self._put(stretch.first, self._bound())
            self._put(stretch.first, "<div/>;")  # it renders something: a component
            for row, code in stretch.pieces:
                self._put(row, self._meant(code))
            self._put(stretch.last, "}")
        if longest is None and not is_exported:
            self._put(len(self._rows) - 1, f";{head}{{<div/>}}")
        return "\n".join(self._rows)

    def _bound(self) -> str:
        """Declarations of the names that the template binds itself."""
        own = [name for name in self.locals if name not in _KEYWORDS]
        return f"let {','.join(own)};" if own else ""

    def _meant(self, code: str) -> str:
        """Code in which members of the options have their whole names; Vue calls a method that an event names."""
        if not self.members:
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
    """What a component is called by its file: `user-card.vue` is UserCard, `+page.svelte` Page, `[id].astro` Id."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    name = "".join(word[:1].upper() + word[1:] for word in _WORD.findall(stem))
    return name if name[:1].isalpha() else f"Component{name}"


_PAIRS = {")": "(", "]": "[", "}": "{"}


def is_sound(code: str) -> bool:
    """Whether code closes what it opens, so that it can stand between other code; a comment could hide that."""
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
    """Where the string that begins at a quote has ended; right after the quote where it does not end on its line."""
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
    """Where the brace that opens at a place is closed before `end`; -1 where it is not."""
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
