"""React hooks: their uses by name, and the project's own hooks."""

from collections.abc import Iterator

from bearings.code.analyses.patterns.evidence import Found, calls, files, idioms, owner
from bearings.code.expressions import written
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import SymbolKind


def find(snapshot: Snapshot) -> Iterator[Found]:
    """Each declared hook, and each use of a hook inside a component or another hook."""
    for path, facts in files(snapshot):
        hook = idioms(facts).hook
        if hook is None:
            continue
        for symbol in facts.symbols[1:]:
            if symbol.kind is SymbolKind.HOOK:
                yield Found("own hooks", path, symbol.line, symbol.id, symbol.signature[:100])
        for site in calls(facts):
            callee = written(site.callee)
            match = hook.fullmatch(callee)
            around = facts.symbols[facts.scopes[site.scope].symbol]
            if match and match[1] != "use" and around.kind in (SymbolKind.COMPONENT, SymbolKind.HOOK):
                yield Found(match[1], path, site.line, owner(facts, site), f"calls {callee}")
