"""React hooks: their uses by name, and the project's own hooks."""

from collections.abc import Iterator

from bearings.code.models import SymbolKind
from bearings.code.questions.patterns.evidence import File, Found, owner


def find(file: File) -> Iterator[Found]:
    """Each declared hook, and each use of a hook inside a component or another hook."""
    facts, hook = file.facts, file.idioms.hook
    if hook is None:
        return
    for symbol in facts.symbols[1:]:
        if symbol.kind is SymbolKind.HOOK:
            yield Found("own hooks", file.path, symbol.line, symbol.id, symbol.signature[:100])
    matches = {callee: match[1] for callee in file.callees if (match := hook.fullmatch(callee)) and match[1] != "use"}
    for callee, site in file.calls_of(matches.keys()):
        around = facts.symbols[facts.scopes[site.scope].symbol]
        if around.kind in (SymbolKind.COMPONENT, SymbolKind.HOOK):
            yield Found(matches[callee], file.path, site.line, owner(facts, site), f"calls {callee}")
