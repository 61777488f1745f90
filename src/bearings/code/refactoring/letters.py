"""The places that may mean an element by its name in other letters, as `Total()` calls `total` in PHP."""

import re
from collections.abc import Iterator, Mapping

from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.occurrences import Part
from bearings.code.models import Symbol, last_part
from bearings.code.project.words import Texts
from bearings.code.refactoring.family import by_edges, rivals
from bearings.code.refactoring.plans import Row
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import occurrences_of


def in_other_letters(view: WholeGraph, symbol: Symbol, family: Mapping[str, Symbol]) -> Iterator[Row]:
    """The uses and declarations of an element's name in other letters that lead to no other element."""
    graph, language = view.snapshot.graph, language_of(symbol.file)
    found = spellings(view, symbol, symbol.name)
    for word in set[str]().union(*found.values()):
        for member in family.values():
            for other in rivals(view.snapshot, member, word):
                yield other.file, other.line, f"{word} is {symbol.name} in other letters"
    tops = {f"{view.snapshot.facts[one.file].package}.{one.name}".lower() for one in family.values()}
    for path, words in found.items():
        text = as_utf8(language, view.lines.data(path))
        modules = [row.module.replace("\\", ".") for row in view.snapshot.facts[path].imports]
        for word in words:
            imported = {one.lower() for one in modules if last_part(one) == word}
            if imported and tops.isdisjoint(imported):
                continue
            lines = {
                edge.line for other in graph.called(word) for edge in graph.edges_to(other.id) if edge.file == path
            }
            for one in occurrences_of(language, text, word) or () if language is not None else ():
                if symbol.kind in one.kinds and one.part is not Part.DECLARED and one.line not in lines:
                    yield path, one.line, f"{word} may be {symbol.name} in other letters"


def spellings(view: WholeGraph, symbol: Symbol, name: str) -> dict[str, set[str]]:
    """The forms of a name that are it in other letters, by file; none in a language whose names depend on letters."""
    rules, language = by_edges(symbol.file), language_of(symbol.file)
    if rules is None or symbol.kind not in rules.caseless:
        return {}
    lower = name.lower().encode()
    word = re.compile(rb"(?<![\w$\x80-\xff])%s(?![\w\x80-\xff])" % re.escape(lower), re.IGNORECASE)
    paths = [path for path in view.snapshot.facts if language_of(path) is language]
    texts = Texts(view.snapshot.tree, paths).read()
    found = {path: {one.decode() for one in word.findall(data)} for path, data in texts if lower in data.lower()}
    return {path: others for path, words in found.items() if (others := words - {name})}
