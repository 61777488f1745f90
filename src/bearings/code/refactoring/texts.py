"""Sorts the occurrences of an element's name in files that are no sources: references, settings, other text."""

import re
from collections import Counter
from collections.abc import Callable, Collection

from bearings.code.coderefs.reference_search import is_export
from bearings.code.languages import language_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.occurrences import Part
from bearings.code.project.sources import Source, read_source
from bearings.code.project.unread_languages import is_markup, is_unread
from bearings.code.refactoring.place import FilePlaces, Kind, Place
from bearings.code.refactoring.references import References
from bearings.code.search.view import WholeGraph

_SETTINGS = (".toml", ".cfg", ".ini", ".json", ".yaml", ".yml")
"""Ends of files in which programs look up names of elements, such as entry points."""

A_REFERENCE = "a reference to it"
MOST_BYTES = 8_000_000


def plain_text(path: str, data: bytes) -> tuple[bytes, int] | None:
    """The text of a file as UTF-8, and the number of bytes before it; None if edits of the text can't be written."""
    text = as_utf8(language_of(path), data)
    shift = len(data) - len(text)
    is_plain = shift in (0, 3) and data[shift:].replace(b"\r", b"\n") == text.replace(b"\r", b"\n")
    return (text, shift) if is_plain else None


class Texts:
    """Finds the places of a `name` in texts: in settings, templates, documents and programs in unread languages.

    `is_module` tells the last parts of the names of its modules, of those that import it, and of its classes where
    edges tell names: in a file of settings, `cart:total` may be a use of `total`. `markup` is a regular expression for
    the parts of a line of a template that may use the name.
    """

    def __init__(
        self, view: WholeGraph, name: str, is_module: Callable[[str], bool], references: References, markup: str
    ) -> None:
        self._view = view
        self._name = name
        self._markup = re.compile(markup)
        self._references = references
        self._word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        self._dotted = re.compile(rf"([\w$-]+)(?:[.:]|::){re.escape(name)}(?![\w$])")
        self._is_module = is_module

    def of(self, path: str, using: Collection[int] | None = None) -> FilePlaces:
        """The places in a text: references, lines that may use the name (UNSURE), and other lines that hold it (OTHER).

        In a file that is not parsed, or that holds a program in another format, the lines in `using` may use the name;
        None: all lines that hold it.
        """
        may_use = is_unread(path) or is_embedded(path)
        is_setting = path.endswith(_SETTINGS)
        data, places = self._referring(path)
        referred = Counter(place.line for place in places)
        for number, line in enumerate(self._view.lines.of(path), 1):
            shown = line.decode("utf-8", "replace")
            if len(self._word.findall(shown)) > referred[number]:
                code = " ".join(self._markup.findall(shown)) if is_markup(path) else shown
                uses = may_use and (number in using if using is not None else bool(self._word.search(code)))
                kind = Kind.UNSURE if uses or (is_setting and self._is_dotted(shown)) else Kind.OTHER
                why = "a file that is not read as code" if uses else "text of a file that is no source"
                places.append(Place(0, 0, number, kind, why, Part.STRING))
        return FilePlaces(path, data, 0, places)

    def _is_dotted(self, line: str) -> bool:
        return any(self._is_module(match[1]) for match in self._dotted.finditer(line))

    def _referring(self, path: str) -> tuple[bytes, list[Place]]:
        """The bytes of a text and the places of its references to the element; no bytes if it has none."""
        source = read_source(self._view.snapshot.root, path, MOST_BYTES)
        data = source.data if isinstance(source, Source) else b""
        references = [one for one in self._references.of(path, data) if one.name_start] if not is_export(data) else []
        places = [
            Place(
                one.name_start,
                one.name_end,
                data.count(b"\n", 0, one.name_start) + 1,
                Kind.REFERENCE,
                A_REFERENCE,
                Part.COMMENT,
            )
            for one in references
        ]
        return data if places else b"", places

    def unreadable(self, path: str, data: bytes, why: str) -> FilePlaces:
        """The places in a source that can't be parsed, `why` says the reason: each line with the name may be a use."""
        word = re.compile(rb"(?<![\w$])%s(?![\w$])" % re.escape(self._name.encode()))
        lines = [number for number, line in enumerate(data.split(b"\n"), 1) if word.search(line)]
        return FilePlaces(path, b"", 0, [Place(0, 0, number, Kind.UNSURE, why) for number in lines])
