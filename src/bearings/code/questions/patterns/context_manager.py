"""Context managers: classes with both methods, and decorated generators."""

from collections.abc import Iterator

from bearings.code.questions.patterns.evidence import File, Found


def find(file: File) -> Iterator[Found]:
    """Each class and each function."""
    makers = file.idioms.context_makers
    yield from _classes(file)
    for text, line, element in file.decorated(lambda text: text.rpartition(".")[2] in makers) if makers else ():
        yield Found("context manager functions", file.path, line, element, f"@{text}")


def _classes(file: File) -> Iterator[Found]:
    """The classes with both methods."""
    ends = file.idioms.context_ends
    wanted = frozenset[str]().union(*ends)
    names: dict[str, set[str]] = {}
    for symbol in file.facts.symbols[1:] if ends else ():
        if symbol.inside and symbol.name in wanted:
            names.setdefault(symbol.parent, set()).add(symbol.name)
    for symbol in file.facts.symbols[1:] if names else ():
        if any(both <= names.get(symbol.id, set()) for both in ends):
            yield Found("context manager classes", file.path, symbol.line, symbol.id, symbol.signature[:100])
